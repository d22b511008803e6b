import { type Exchange, isServed, responseJson } from '../client/http-exchange.ts'
import { nowSeconds } from '../client/wall-clock.ts'
import { type CheckScenario, OBSERVING } from '../harness/judge/check.ts'
import type { Expect } from '../harness/judge/check-assertions.ts'
import { Blocked } from '../harness/judge/verdict-errors.ts'
import { SIGNATURE_ENCODINGS } from '../protocol/ecdsa-encoding.ts'
import { BASE_READINGS } from '../protocol/signature-base.ts'
import type { CheckContext } from './context/check-context.ts'
import { readStatus, requestToken } from './given/harmless-calls.ts'
import { withHeader } from './request-mutations/tamper-with-requests.ts'

/** Ages of `created` to try, in seconds; a negative one is in the future. */
const AGES = [-3600, -120, -30, 30, 240, 600, 3600] as const

/**
 * Whether a call was accepted, or refused with a 4xx. Throws Inconclusive without a response or where the call was put off,
 * and Blocked for any other response, which tells nothing of signatures.
 */
const isAccepted = (exchange: Exchange, expect: Expect): boolean => {
  const { status } = expect.response(exchange)
  if (isServed(exchange)) return true
  if (status >= 400 && status < 500) return false
  throw new Blocked(`the call met HTTP ${status}, which tells nothing of its signature`, exchange)
}

/**
 * Whether a token call was accepted: with a token (5.3), which a transcript shows redacted. A success without one tells
 * nothing, and throws Blocked.
 */
const givesToken = (exchange: Exchange, expect: Expect): boolean => {
  if (!isAccepted(exchange, expect)) return false
  const { access_token: token } = (responseJson(exchange) ?? {}) as { access_token?: unknown }
  if (typeof token === 'string' && token !== '') return true
  throw new Blocked(
    'the token call was served without an access token, which does not look like the payment API',
    exchange,
  )
}

type Step =
  | `${(typeof BASE_READINGS)[number] | (typeof SIGNATURE_ENCODINGS)[number] | `age ${(typeof AGES)[number]}`}`
  | 'beside'
  | 'once'
  | 'twice'

/** Scenario that observes which signature variants a deployment accepts where the document is ambiguous (5.2, C7). */
export const acceptedSignatureVariants: CheckScenario<CheckContext, Step> = {
  name: 'which signatures are understood',
  tier: 1,
  play: async (context, keep) => {
    for (const reading of BASE_READINGS) await keep(reading, requestToken(context, { signing: { reading } }))
    for (const encoding of SIGNATURE_ENCODINGS) await keep(encoding, requestToken(context, { signing: { encoding } }))
    for (const age of AGES)
      await keep(`age ${age}`, requestToken(context, { signing: { created: nowSeconds() - age } }))
    const foreign = (value: string) => withHeader('signature', old => `${old}, other=:${value}:`)
    await keep('beside', requestToken(context, { afterSigning: foreign('AAAA') }))
    const { request } = await keep('once', readStatus(context))
    await keep('twice', context.merchant.transport.exchange(request))
  },
  checks: [
    {
      id: 'SIG-30',
      clause: '5.2',
      title: 'how old and how far ahead created may be',
      ...OBSERVING,
      judge: (evidence, expect) => {
        const fine = AGES.filter(age => givesToken(evidence.of(`age ${age}`), expect))
        return `accepted ages in seconds: ${fine.join(', ') || 'none'} of ${AGES.join(', ')}`
      },
    },
    {
      id: 'SIG-36',
      clause: '5.2',
      title: 'a second, foreign label beside ours',
      ...OBSERVING,
      judge: (evidence, expect) => (givesToken(evidence.of('beside'), expect) ? 'accepted' : 'refused'),
    },
    {
      id: 'SIG-37',
      clause: '5.2',
      title: 'the same signed read sent twice',
      ...OBSERVING,
      judge: (evidence, expect) => (isAccepted(evidence.of('twice'), expect) ? 'accepted' : 'refused'),
    },
    {
      id: 'SIG-40',
      clause: '5.2',
      title: "whether the base's last line holds the label",
      ...OBSERVING,
      judge: (evidence, expect) =>
        `accepted readings: ${BASE_READINGS.filter(reading => givesToken(evidence.of(reading), expect)).join(', ') || 'none'}`,
    },
    {
      id: 'SIG-41',
      clause: '5.2',
      title: 'how the bytes of a signature are laid out',
      ...OBSERVING,
      judge: (evidence, expect) =>
        `accepted encodings: ${SIGNATURE_ENCODINGS.filter(encoding => givesToken(evidence.of(encoding), expect)).join(', ') || 'none'}`,
    },
  ],
}
