import { PROVIDER_CODES } from '../../../contracts/protocol/provider-codes.ts'
import type { Reply } from '../../../simulator/store/unit-of-work.ts'
import { isKeyedCall, stateConflict } from '../conformant-variations.ts'
import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  replaceReplies,
  requestHeader,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateJsonReply, mutateRefusal, mutateReply, mutateStore, mutateVerifiedBody } from './simulator-mutations.ts'

/** Codes of providers come out as others. */
const mapping = (code: string, reasonCode: string) =>
  mutateJsonReply(body => {
    const { providerStatusInfo } = (body.providerDetails ?? {}) as { providerStatusInfo?: { reasonCode: string } }
    return providerStatusInfo?.reasonCode === code ? { ...body, statusInfo: { reasonCode, message: '' } } : undefined
  })

/** Every code of every provider comes out wrong once. */
const wronglyMapped = ({ provider, code, reasonCode }: (typeof PROVIDER_CODES)[number], index: number): Mutant => ({
  does: `maps ${code} of ${provider} to something else`,
  caughtBy: [...(code === '3001' ? ['BLK-04', 'BLK-06'] : []), `MAP-${String(index + 1).padStart(2, '0')}`],
  mutation: mapping(code, reasonCode === '8004' ? '8003' : '8004'),
  ...(reasonCode === '8004' ? { stopsOthers: true } : {}),
})

/** What a key was answered with one of these statuses it is answered ever after. */
const stuckAfter = (...statuses: number[]): Mutation => {
  const stuck = new Map<string, Reply>()
  return mutateReply((reply, call) => {
    const key = String(call.incoming.headers['idempotency-key'] ?? '')
    const first = stuck.get(key)
    if (key !== '' && statuses.includes(reply.http)) stuck.set(key, reply)
    return first
  })
}

/** The answer that got lost on the way is not kept either. */
const losingAnswers = mutateStore((store, hits) => ({
  transact: unit =>
    store.transact({
      ...unit,
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        if ((result as { result?: Partial<Reply> } | undefined)?.result?.http !== 504)
          return { result, ...(save ? { save } : {}) }
        hits.count += 1
        return { result, save: { ...save, idempotentReply: undefined } }
      },
    }),
}))

/** A fault that only spoils the answer, armed in place of the limit, and then an answer in its place. */
const doneAndLimited: Mutation = async (dataDir, hits) => {
  const { store } = await mutateStore(real => ({
    addFault: (organizationId, fault) =>
      real.addFault(organizationId, fault.kind === 'limited' ? { ...fault, kind: 'missigned' } : fault),
  }))(dataDir, hits)
  const { layers } = await mutateReply((_reply, { callId, ...call }) => {
    if (call.wire === undefined) return undefined
    return { http: 429, body: JSON.stringify({ statusInfo: { reasonCode: '3000', message: 'No' }, callId }) }
  })(dataDir, hits)
  return { ...(store ? { store } : {}), ...(layers ? { layers } : {}) }
}

const setting = (from: string, to: string) =>
  mutateVerifiedBody((body, call) => (call.incoming.url === '/mock/set' ? body.replace(from, to) : body))

const toText = mutateReply(reply => (reply.http === 501 ? { http: 501, body: 'no' } : undefined))

// biome-ignore format: a table reads by its columns
export const ERROR_RESPONSE_MUTANTS: readonly Mutant[] = [
  ...PROVIDER_CODES.map(wronglyMapped),
  { does: 'returns reasonCodes of an undefined family', caughtBy: ['ERR-02', 'RDS-03'], mutation: mutateRefusal(404, '4001', { reasonCode: '0404' }) },
  { does: 'stores 502 under the key',                                caughtBy: ['IDM-37'],          mutation: stuckAfter(502) },
  { does: 'stores 500 under the key',                                caughtBy: ['IDM-37'],          mutation: stuckAfter(500) },
  { does: 'stores 423 under the key',                         caughtBy: ['ERR-20'],          mutation: stuckAfter(423) },
  { does: 'does not store the response of a call that timed out with 504', caughtBy: ['IDM-38'],         mutation: losingAnswers },
  { does: 'stores 429 under the key',                                caughtBy: ['IDM-39'],          mutation: stuckAfter(429) },
  { does: 'carries out calls that it refuses with 429',              caughtBy: ['LIM-03'],          mutation: doneAndLimited },
  { does: 'says 4290 with 429',                              caughtBy: ['ERR-08'],          mutation: mutateRefusal(429, '3000', { reasonCode: '4290' }) },
  { does: 'says 5000 with 500',                              caughtBy: ['ERR-11'],          mutation: mutateRefusal(500, '9999', { reasonCode: '5000' }) },
  { does: 'says 9001 when the provider is silent',           caughtBy: ['ERR-10'],          mutation: mutateRefusal(504, '8001', { reasonCode: '9001' }) },
  { does: 'says 4090 with 409',                              caughtBy: ['ERR-04', 'IDM-16'], mutation: mutateRefusal(409, '3002', { reasonCode: '4090' }) },
  { does: 'says 9999 on a state conflict',           caughtBy: ['ERR-04'], through: ['LIF-20'], mutation: stateConflict('9999') },
  { does: 'says 9999 where a key is missing',                caughtBy: ['ERR-07', 'IDM-07'], mutation: replaceReplies((call, { http }) => http === 400 && isKeyedCall(call) && requestHeader(call, 'idempotency-key') === '', withStatusAndCode(400, '9999')) },
  { does: 'says 428 to any body that it cannot read',        caughtBy: ['ERR-13', 'VAL-26', 'VAL-27', 'VAL-28'], mutation: replaceReplies((call, { http }) => http === 400 && isCallTo('/payments/initiate')(call) && ['', '[]', '{"clientTransactionId":'].includes(bodyTextOf(call)), withStatusAndCode(428)) },
  { does: 'returns 400 for unsupported operations',         caughtBy: ['ERR-19'], through: ['VAL-35'], mutation: mutateRefusal(501, '8003', { http: 400 }) },
  { does: 'returns 410 for not found',                       caughtBy: ['ERR-13', 'ERR-15', 'ERR-16', 'LIF-06', 'RPT-01'], mutation: mutateRefusal(404, '4000', { http: 410 }) },
  { does: 'returns plain text for unsupported operations',        caughtBy: ['ERR-01', 'ERR-09', 'ERR-12'], through: ['VAL-35'], mutation: toText },
  { does: 'returns 500 for a wrong grant type',                   caughtBy: ['ERR-11', 'ERR-21'], through: ['VAL-03'], mutation: mutateReply((reply, call) => (call.body.toString().includes('grant_type=none') ? { ...reply, http: 500 } : undefined)) },
  { does: 'treats any mock key type as PAYER_ID',             caughtBy: ['MCK-19'],          mutation: setting('"PHONE"', '"PAYER_ID"') },
  { does: 'treats any mock type as MOCK',               caughtBy: ['MCK-20'],          mutation: setting('"REAL"', '"MOCK"') },
  { does: 'accepts a mock without a key',                          caughtBy: ['MCK-21'],          mutation: mutateVerifiedBody((body, call) => (call.incoming.url === '/mock/set' && !body.includes('"key"') ? body.replace('{', '{"key":{"type":"PAYER_ID","value":"x"},') : body)) },
]
