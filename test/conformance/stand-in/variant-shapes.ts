const END_WORDS = ['CANCELLED', 'FAILED', 'EXPIRED']

/** Profile lines with which each lawful variant of the stand-in is described; a variant without lines needs none. */
export const VARIANT_SHAPES: Readonly<Record<string, Record<string, unknown>>> = {
  'coarse-states': {
    states: {
      waiting: ['PENDING'],
      authenticated: ['PENDING'],
      authorized: ['OK'],
      captured: ['OK'],
      settled: ['OK'],
      refunded: ['OK'],
      declined: ['FAILED', 'CANCELLED'],
      expired: ['EXPIRED'],
      canceled: ['CANCELLED'],
    },
    errors: { declined: { words: END_WORDS } },
    shopper: { withinSeconds: 1 },
  },
  'reason-code-at-top': { errors: { reasonCode: '/reasonCode', callId: '/trace' } },
  'no-manual-capture': { capabilities: { manualCapture: false } },
  'full-captures-only': { capabilities: { partialCaptures: false } },
  'one-capture-only': { capabilities: { partialCaptures: false } },
  'full-refunds-only': { capabilities: { partialRefunds: false } },
  'blik-only': { capabilities: { methods: ['BLIK'] } },
  'no-charge': { capabilities: { recurring: false } },
  'raw-signatures': { dialect: { encoding: 'raw' } },
  'params-without-label': { dialect: { reading: 'rfc' } },
  'responses-signed-like-requests': { responses: { reading: 'literal', encoding: 'der' } },
  'guarded-key-set': { keySet: { protected: true } },
  'auto-capture-at-top': { requests: { all: { 'paymentDetails.autoCapture': '/autoCapture' } } },
  'settled-after-5s': { settlement: { withinSeconds: 6 } },
}
