const REFERENCES = ['processingAccountId', 'clientTransactionId']
const END_WORDS = ['CANCELLED', 'FAILED', 'EXPIRED']

/** Profile lines that describe each lawful variant of the stand-in deployment; a variant without lines needs none. */
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
    shopper: { withinSeconds: 3 },
  },
  'reason-code-at-top': { errors: { reasonCode: '/reasonCode', callId: '/trace' } },
  'no-manual-capture': { capabilities: { manualCapture: false } },
  'full-captures-only': { capabilities: { partialCaptures: false } },
  'one-capture-only': { capabilities: { partialCaptures: false } },
  'full-refunds-only': { capabilities: { partialRefunds: false } },
  'blik-only': { capabilities: { methods: ['BLIK'] } },
  'no-webhooks': { capabilities: { webhooks: false }, webhooks: null },
  'no-charge': { capabilities: { recurring: false } },
  'raw-signatures': { dialect: { encoding: 'raw' } },
  'params-without-label': { dialect: { reading: 'rfc' } },
  'responses-signed-like-requests': { responses: { reading: 'literal', encoding: 'der' } },
  'guarded-key-set': { keySet: { protected: true } },
  'auto-capture-at-top': { requests: { all: { 'paymentDetails.autoCapture': '/autoCapture' } } },
  'unknown-members-refused': {
    requests: {
      without: { finalize: ['processingAccountId'], capture: REFERENCES, cancel: REFERENCES, refund: REFERENCES },
    },
  },
  'acts-answer-204': { fields: { finalize: null } },
  'two-envelopes': { errors: { reasonCode: ['/error/code', '/fault/reasonCode'] } },
  'lower-case-words': {
    states: {
      waiting: ['awaiting_payer'],
      authenticated: ['payer_approved'],
      authorized: ['authorized'],
      captured: ['part_captured', 'captured'],
      settled: ['settled'],
      refunded: ['part_refunded', 'refunded'],
      declined: ['aborted', 'refused'],
      expired: ['lapsed'],
      canceled: ['voided'],
    },
    errors: { declined: { words: ['aborted', 'refused', 'lapsed'] } },
  },
  'bare-lists': {
    fields: { events: { transactionId: null, list: '' }, search: { list: '' }, providers: { list: '' } },
  },
  'settled-after-5s': { settlement: { withinSeconds: 6 } },
}
