import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  refuseCalls,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateVerifiedBody, mutateVerifiedBodyAt } from './simulator-mutations.ts'

const isInitiate = isCallTo('/payments/initiate')
const initiating = mutateVerifiedBodyAt('/payments/initiate')
const of = (method: 'BLIK' | 'IRIS', change: (body: string) => string) =>
  initiating(body => (body.includes(`"providerId":"${method}"`) ? change(body) : body))

/** Reads one text for another. */
const taking = (from: string, to: string) => initiating(body => body.replace(from, to))
const takingOf = (method: 'BLIK' | 'IRIS', from: string, to: string) => of(method, body => body.replace(from, to))
/** Fills in a member that is not there. */
const supplying = (method: 'BLIK' | 'IRIS', name: string, value: unknown) =>
  of(method, body => (body.includes(`"${name}"`) ? body : body.replace('{', `{"${name}":${JSON.stringify(value)},`)))

/** What it cannot read it takes for its first payment of IRIS. */
const guessing = (bad: string) =>
  withFreshState(() => {
    let first: string | undefined
    return mutateVerifiedBody((body, call) => {
      if (!isInitiate(call)) return body
      if (body === bad) return first ?? body
      if (body.includes('"IRIS"')) first ??= body
      return body
    })
  })

/** The first payment of IRIS gets the id of the last payment of BLIK. */
const sharingIds = (): Mutation => {
  const seen: { blik?: unknown; used?: true } = {}
  return mutateServedJson(isInitiate, (body, call) => {
    if (bodyTextOf(call).includes('"BLIK"')) seen.blik = body.transactionId
    if (!bodyTextOf(call).includes('"IRIS"') || seen.used || seen.blik === undefined) return undefined
    seen.used = true
    return { ...body, transactionId: seen.blik }
  })
}

/** A reference of a BLIK payment belongs to the key that it came with. */
const referencesOnce = (): Mutation => {
  const used = new Map<string, string>()
  return refuseCalls(call => {
    const [, reference = ''] = /"clientTransactionId":"([0-9a-f]{20})"/.exec(bodyTextOf(call)) ?? []
    if (!isInitiate(call) || !bodyTextOf(call).includes('"BLIK"') || reference === '') return false
    const key = requestHeader(call, 'idempotency-key')
    const first = used.get(reference) ?? key
    used.set(reference, first)
    return first !== key
  })
}

/** Members of a one-time payment of BLIK that no other check sends. */
const OPTIONAL_MEMBERS = [
  ['a device', /"deviceId"/],
  ['an address of the next version', /"2001:db8::1"/],
  ['a returnUrl', /"returnUrl"/],
  ['metadata of nothing', /"metadata":\{\}/],
] as const

const WHOLE = { amount: 1000, currency: 'EUR', country: 'GR', description: 'x' }

// biome-ignore format: a table reads by its columns
export const VALIDATION_MUTANTS: readonly Mutant[] = [
  { does: 'takes no payment of BLIK',                caughtBy: ['LIF-01', 'SCP-01', 'VAL-01', 'VAL-44'], stopsOthers: true, mutation: refuseCalls(call => isInitiate(call) && bodyTextOf(call).includes('"BLIK"')) },
  { does: 'takes no payment of IRIS',                caughtBy: ['MCK-03', 'MCK-04', 'VAL-02'], through: ['VAL-01'], stopsOthers: true, mutation: refuseCalls(call => isInitiate(call) && bodyTextOf(call).includes('"IRIS"')) },
  { does: 'makes up a reference',                    caughtBy: ['VAL-03'], mutation: supplying('IRIS', 'clientTransactionId', 'x') },
  { does: 'makes up a type',                         caughtBy: ['VAL-04'], mutation: supplying('IRIS', 'transactionType', 'ONE_TIME') },
  { does: 'makes up a sum',                          caughtBy: ['VAL-05'], mutation: supplying('IRIS', 'paymentDetails', WHOLE) },
  { does: 'takes nobody for IRIS',                   caughtBy: ['VAL-06'], mutation: taking('"providerDetails":{}', '"providerDetails":{"providerId":"IRIS"}') },
  { does: 'makes up a payer',                        caughtBy: ['VAL-07'], mutation: supplying('IRIS', 'payerDetails', { payerId: 'x' }) },
  { does: 'takes any type for a single payment',     caughtBy: ['VAL-08'], mutation: taking('"SOMETIMES"', '"ONE_TIME"') },
  { does: 'takes any provider for IRIS',             caughtBy: ['VAL-09'], mutation: taking('"NOBODY"', '"IRIS"') },
  { does: 'fails over an amount of 0 for IRIS',      caughtBy: ['ERR-11', 'ERR-21', 'VAL-10'], mutation: replaceReplies((call, { http }) => http === 400 && isInitiate(call) && /"amount":0\b.*"IRIS"/.test(bodyTextOf(call)), withStatusAndCode(500)) },
  { does: 'takes an amount below 0 for one above',   caughtBy: ['VAL-12'], mutation: taking('"amount":-1000', '"amount":1000') },
  { does: 'reads numbers in texts',                  caughtBy: ['VAL-13'], mutation: taking('"amount":"1000"', '"amount":1000') },
  { does: 'lets BLIK pay in EUR',                    caughtBy: ['VAL-15'], mutation: takingOf('BLIK', '"EUR"', '"PLN"') },
  { does: 'lets BLIK pay in Greece',                 caughtBy: ['VAL-16'], mutation: takingOf('BLIK', '"GR"', '"PL"') },
  { does: 'lets IRIS pay in PLN',                    caughtBy: ['VAL-17'], mutation: takingOf('IRIS', '"PLN"', '"EUR"') },
  { does: 'lets IRIS pay in Poland',                 caughtBy: ['VAL-18'], mutation: takingOf('IRIS', '"PL"', '"GR"') },
  { does: 'takes any currency',                      caughtBy: ['VAL-19'], mutation: taking('"ZZZ"', '"EUR"') },
  { does: 'needs no address to go back to',          caughtBy: ['VAL-20'], mutation: supplying('IRIS', 'returnUrl', 'https://shop.example/') },
  { does: 'needs no payer for IRIS',                 caughtBy: ['VAL-21'], mutation: takingOf('IRIS', '"payerDetails":{}', '"payerDetails":{"payerId":"x"}') },
  { does: 'needs no code for BLIK',                  caughtBy: ['VAL-22'], mutation: takingOf('BLIK', '"payerDetails":{}', '"payerDetails":{"oneTimeCode":"123456"}') },
  { does: 'adds a digit to a short code',            caughtBy: ['VAL-23'], mutation: taking('"oneTimeCode":"12345"', '"oneTimeCode":"012345"') },
  { does: 'reads letters as digits',                 caughtBy: ['VAL-25'], mutation: taking('12a456', '123456') },
  { does: 'takes texts for numbers in metadata',     caughtBy: ['VAL-29'], mutation: taking('"metadata":{"size":1}', '"metadata":{"size":"1"}') },
  { does: 'takes yes for true',                      caughtBy: ['VAL-32'], mutation: taking('"autoCapture":"yes"', '"autoCapture":true') },
  { does: 'takes any text for an address',           caughtBy: ['VAL-33'], mutation: taking('"no url"', '"https://shop.example/"') },
  { does: 'lets IRIS pay again and again',           caughtBy: ['ERR-19', 'VAL-35'], mutation: takingOf('IRIS', '"RECURRING"', '"ONE_TIME"') },
  { does: 'lets IRIS keep a payer',                  caughtBy: ['VAL-36'], mutation: takingOf('IRIS', '"TOKEN_ONLY"', '"ONE_TIME"') },
  { does: 'mends JSON that ends too early',          caughtBy: ['VAL-26'], mutation: guessing('{"clientTransactionId":') },
  { does: 'takes no body for the first one',         caughtBy: ['VAL-27'], mutation: guessing('') },
  { does: 'takes a list for the first one',         caughtBy: ['VAL-28'], mutation: guessing('[]') },
  { does: 'wants to know where the shopper is',      caughtBy: ['VAL-31'], mutation: refuseCalls(call => isInitiate(call) && bodyTextOf(call).includes('"BLIK"') && !bodyTextOf(call).includes('"requestContext"') && bodyTextOf(call).includes('"amount":1000,') ) },
  { does: 'takes ASCII alone for text',              caughtBy: ['VAL-58'], mutation: refuseCalls(call => isInitiate(call) && /[^\0-\x7f]/.test(bodyTextOf(call)), 'DIGEST_REFUSED') },
  ...OPTIONAL_MEMBERS.map(([what, member]) => ({ does: `takes no payment of BLIK with ${what}`, caughtBy: ['VAL-59'], mutation: refuseCalls(call => isInitiate(call) && bodyTextOf(call).includes('"BLIK"') && bodyTextOf(call).includes('"ONE_TIME"') && member.test(bodyTextOf(call))) })),
  { does: 'takes a reference once',                  caughtBy: ['VAL-42'], stopsOthers: true, mutation: withFreshState(referencesOnce) },
  { does: 'gives two payments one id',               caughtBy: ['VAL-43'], mutation: withFreshState(sharingIds) },
  { does: 'sends shoppers to half an address',       caughtBy: ['IRS-01'], mutation: mutateServedJson(isInitiate, body => relative(body)) },
  { does: 'says 200 to what it refuses to read',     caughtBy: ['VAL-26'], mutation: replaceReplies((call, { http }) => http === 400 && bodyTextOf(call) === '{"clientTransactionId":', ({ body }) => ({ http: 200, body })) },
]

function relative(body: Record<string, unknown>): object | undefined {
  const { redirectUrl, ...providerDetails } = (body.providerDetails ?? {}) as Record<string, unknown>
  if (typeof redirectUrl !== 'string' || redirectUrl.includes('bank.example')) return undefined
  return { ...body, providerDetails: { ...providerDetails, redirectUrl: new URL(redirectUrl).pathname } }
}
