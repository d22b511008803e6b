import fc from 'fast-check'
import type { Exchange } from '../../../contracts/client/http-exchange.ts'
import { ANY_DIALECT } from '../../../contracts/client/response-verifier.ts'
import { createKeySetCache, readVerifyingKeys } from '../../../contracts/client/service-key-set.ts'
import { createWebhookVerifier } from '../../../contracts/client/webhook-verifier.ts'
import { createDialect } from '../../../contracts/dialect/dialect.ts'
import { mediaTypeOf } from '../../../contracts/protocol/signature-base.ts'
import { verifyWebhook, verifyWebhookSignature } from '../../../contracts/protocol/verify-webhook.ts'
import { encodeWebhookSecret, WEBHOOK_HEADERS } from '../../../contracts/protocol/webhook-hmac.ts'
import type { Message } from '../../../simulator/store/webhook-store.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import { createDialectRegistry } from '../../../simulator/support/dialect-registry.ts'
import { createSignMessage } from '../../../simulator/webhooks/sign-message.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { editedJson } from '../edited-json.ts'
import { nearly, pumped, type TextEdit, textEdits, textWith } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'

/** One member of a webhook: a header by its name, `target` or `body`; another text, edited, in two, or gone. */
type Change = { name: string; how: 'edited' | 'instead' | 'too' | 'gone'; value: string; edits: TextEdit[] }
/** `forged` is the member that a forger begins with: what it says then is signed by nobody. */
type Input = { forged: string; changes: Change[]; keySet: string }

const SECONDS = 1_767_614_400
const SECRETS = ['one', 'two'].map(text => encodeWebhookSecret(Buffer.from(text.padEnd(32))))

const { signingKey, jwk } = newKeyPair()
const KEY_SET = { keys: [{ ...jwk, kid: 'service', use: 'sig', alg: 'ES256' }] }
const REAL = JSON.stringify(KEY_SET)

type Webhook = Readonly<Record<string, string>>
const sign = createSignMessage({
  clock: createClock(() => SECONDS * 1000),
  key: signingKey('service'),
  dialect: {},
  dialects: createDialectRegistry(createDialect()),
})
const signed = async (notificationId: string, target: string, body: string, secrets: string[]): Promise<Webhook> => {
  const headers = await sign('shop', { notificationId, body, variation: {} } as Message, target, secrets)
  return { target, body, ...headers }
}
const GOOD = await signed('n-1', '/hooks?shop=1', '{"notificationType":"PAYMENT_CAPTURE","amount":1999}', SECRETS)
const OTHER = await signed('n-2', '/', '{}', SECRETS.slice(1))

/** Each as long as what was signed: lengths are covered too. */
const FORGED: Readonly<Record<string, Webhook>> = {
  nothing: {},
  target: { target: '/hooks?shop=2' },
  body: { body: GOOD.body?.replace('1999', '9991') ?? '' },
  id: { [WEBHOOK_HEADERS.id]: 'n-3' },
}

const VALUES = [...Object.values(GOOD), ...Object.values(OTHER), 'v1,', 'v1,AAAA v1,', 'sha-256=:AAAA:', `${SECONDS}.0`]
const PIECES = [
  ...[
    ' ',
    'v1,',
    ' v2,',
    '0',
    '1',
    '.',
    '+',
    'e0',
    '0x',
    '=',
    ':',
    ', ',
    'service_sig=',
    'sha-512=:AAAA:',
    '; charset=x',
  ],
  ...[';keyid="service"', `;created=${SECONDS}`, '"content-digest"', ' "x"', ';alg="none"', '\n"@method": GET'],
]

const change = fc.record({
  name: fc.constantFrom(...Object.keys(GOOD)),
  how: fc.constantFrom('edited', 'edited', 'instead', 'too', 'gone'),
  value: fc.oneof({ weight: 8, arbitrary: nearly(VALUES, PIECES, 6_000) }, { weight: 1, arbitrary: pumped(PIECES) }),
  edits: textEdits(PIECES),
})

/** Fuzz target: webhook verification in merchant code (6, D-100); accepts only what was signed, never throws. */
export const webhookVerification = fuzzTarget<Input>({
  name: 'webhooks',
  sends: "notifications to the client's verifier, with headers, target, body or key set changed",
  inputs: fc.record({
    forged: fc.constantFrom(...Object.keys(FORGED)),
    changes: fc.array(change, { maxLength: 3 }),
    keySet: fc.oneof({ weight: 6, arbitrary: fc.constant(REAL) }, { weight: 1, arbitrary: editedJson([KEY_SET]) }),
  }),
  covers: [
    'contracts/client/webhook-verifier.ts',
    'contracts/client/service-key-set.ts',
    'contracts/protocol/verify-webhook.ts',
    'contracts/protocol/webhook-hmac.ts',
    'contracts/protocol/match-signature-dialect.ts',
    'contracts/protocol/content-digest.ts',
  ],
  few: 120,
  open: async () => {
    const refused = (await verdictsOf(GOOD, REAL)).find(({ ok }) => !ok)
    if (refused) throw new Error(`${refused.who} refuses what is good: ${refused.message}`)
    return async ({ forged, changes, keySet }) => {
      const webhook = changes.reduce(changed, { ...GOOD, ...FORGED[forged] })
      for (const { who, ok, message, covers } of await verdictsOf(webhook, keySet)) {
        if (ok && !covers.every(names => wasSigned(webhook, names))) return `${who} says yes to what nobody signed`
        if (!ok && !/^[^\r\n\0]{5,300}$/.test(message)) return `${who} gives no reason: ${JSON.stringify(message)}`
      }
    }
  },
})

const changed = (webhook: Webhook, { name, how, value, edits }: Change): Webhook => {
  const { [name]: was = '', ...rest } = webhook
  if (how === 'gone') return rest
  const now = { edited: textWith(was, edits), instead: value, too: `${was}, ${value}` }[how]
  return { ...rest, [name]: now }
}

/** What the two signatures are about; the host is not covered, and a charset says nothing of JSON. */
const BY_SECRET = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp, 'body']
const BY_SERVICE = ['target', 'body', 'content-type']

const wasSigned = (webhook: Webhook, names: readonly string[]): boolean =>
  [GOOD, OTHER].some(one => names.every(name => plain(one, name) === plain(webhook, name)))

const plain = (webhook: Webhook, name: string): string | undefined =>
  name === 'content-type' ? mediaTypeOf(webhook[name] ?? '') : webhook[name]

/** What each verifier says, and which members it vouches for. */
const verdictsOf = async (webhook: Webhook, keySet: string) => {
  const { target = '', body = '' } = webhook
  const received = { target, header: (name: string) => webhook[name], body: Buffer.from(body) }
  const exchange: Exchange = {
    request: { method: 'GET', url: 'https://api.example/keys', headers: {} },
    response: { status: 200, headers: {}, body: Buffer.from(keySet) },
    durationMs: 1,
  }
  const client = createWebhookVerifier(
    createKeySetCache(
      async () => exchange,
      () => 0,
    ),
  )
  const keys = readVerifyingKeys(exchange)
  const time = { nowSeconds: SECONDS }
  const verdicts = [
    { who: 'the HMAC', covers: [BY_SECRET], ...verifyWebhook(received, SECRETS, time) },
    {
      who: "the service's signature",
      covers: [BY_SERVICE],
      ...(await verifyWebhookSignature(received, id => keys.get(id), ANY_DIALECT, time)),
    },
    { who: 'the client', covers: [BY_SECRET, BY_SERVICE], ...(await client(received, SECRETS, SECONDS)) },
  ]
  return verdicts.map(verdict => ({ message: '', ...verdict }))
}
