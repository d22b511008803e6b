import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import type { Reply } from '../../simulator/store/port.ts'
import { at, headerOf, instead, saying, textOf } from './break.ts'
import { answering, answeringJson, reading, refusing, type Sabotage, type Saboteur, storing } from './sabotage.ts'
import { conflicting, isKeyed } from './strange-answers.ts'

/** Codes of providers come out as others. */
const mapping = (code: string, reasonCode: string) =>
  answeringJson(body => {
    const { providerStatusInfo } = (body.providerDetails ?? {}) as { providerStatusInfo?: { reasonCode: string } }
    return providerStatusInfo?.reasonCode === code ? { ...body, statusInfo: { reasonCode, message: '' } } : undefined
  })

/** Every code of every provider comes out wrong once. */
const wronglyMapped = ({ provider, code, reasonCode }: (typeof PROVIDER_CODES)[number], index: number): Saboteur => ({
  does: `maps ${code} of ${provider} to something else`,
  caughtBy: [...(code === '3001' ? ['BLK-04', 'BLK-06'] : []), `MAP-${String(index + 1).padStart(2, '0')}`],
  sabotage: mapping(code, reasonCode === '8004' ? '8003' : '8004'),
})

/** What a key was answered with one of these statuses it is answered ever after. */
const stuckAfter = (...statuses: number[]): Sabotage => {
  const stuck = new Map<string, Reply>()
  return answering((reply, call) => {
    const key = String(call.incoming.headers['idempotency-key'] ?? '')
    const first = stuck.get(key)
    if (key !== '' && statuses.includes(reply.http)) stuck.set(key, reply)
    return first
  })
}

/** The answer that got lost on the way is not kept either. */
const losingAnswers = storing((store, hits) => ({
  perform: unit =>
    store.perform({
      ...unit,
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        if ((result as { executed?: Reply } | undefined)?.executed?.http !== 504)
          return { result, ...(save ? { save } : {}) }
        hits.count += 1
        return { result, save: { ...save, remember: undefined } }
      },
    }),
}))

/** A fault that only spoils the answer, armed in place of the limit, and then an answer in its place. */
const doneAndLimited: Sabotage = async (dataDir, hits) => {
  const { store } = await storing(real => ({
    addFault: (organizationId, fault) =>
      real.addFault(organizationId, fault.kind === 'limited' ? { ...fault, kind: 'missigned' } : fault),
  }))(dataDir, hits)
  const { layers } = await answering((_reply, { callId, ...call }) => {
    if (call.wire === undefined) return undefined
    return { http: 429, body: JSON.stringify({ statusInfo: { reasonCode: '3000', message: 'No' }, callId }) }
  })(dataDir, hits)
  return { ...(store ? { store } : {}), ...(layers ? { layers } : {}) }
}

const setting = (from: string, to: string) =>
  reading((body, call) => (call.incoming.url === '/mock/set' ? body.replace(from, to) : body))

const toText = answering(reply => (reply.http === 501 ? { http: 501, body: 'no' } : undefined))

// biome-ignore format: a table reads by its columns
export const FAULT_SABOTEURS: readonly Saboteur[] = [
  ...PROVIDER_CODES.map(wronglyMapped),
  { does: 'writes codes of families that there are none', caughtBy: ['ERR-02', 'RDS-03'], sabotage: refusing(404, '4001', { reasonCode: '0404' }) },
  { does: 'keeps saying 502',                                caughtBy: ['IDM-37'],          sabotage: stuckAfter(502) },
  { does: 'keeps saying 500',                                caughtBy: ['IDM-37'],          sabotage: stuckAfter(500) },
  { does: 'never lets go of a lock',                         caughtBy: ['ERR-20'],          sabotage: stuckAfter(423) },
  { does: 'forgets the answer that a 504 kept from arriving', caughtBy: ['IDM-38'],         sabotage: losingAnswers },
  { does: 'keeps saying 429',                                caughtBy: ['IDM-39'],          sabotage: stuckAfter(429) },
  { does: 'carries out what it calls too much',              caughtBy: ['LIM-03'],          sabotage: doneAndLimited },
  { does: 'says 4290 with 429',                              caughtBy: ['ERR-08'],          sabotage: refusing(429, '3000', { reasonCode: '4290' }) },
  { does: 'says 5000 with 500',                              caughtBy: ['ERR-11'],          sabotage: refusing(500, '9999', { reasonCode: '5000' }) },
  { does: 'says 9001 when the provider is silent',           caughtBy: ['ERR-10'],          sabotage: refusing(504, '8001', { reasonCode: '9001' }) },
  { does: 'says 4090 with 409',                              caughtBy: ['ERR-04', 'IDM-16'], sabotage: refusing(409, '3002', { reasonCode: '4090' }) },
  { does: 'says 9999 where a state is in the way',           caughtBy: ['ERR-04'], through: ['LIF-20'], sabotage: conflicting('9999') },
  { does: 'says 9999 where a key is missing',                caughtBy: ['ERR-07', 'IDM-07'], sabotage: instead((call, { http }) => http === 400 && isKeyed(call) && headerOf(call, 'idempotency-key') === '', saying(400, '9999')) },
  { does: 'says 428 to any body that it cannot read',        caughtBy: ['ERR-13', 'VAL-26', 'VAL-27', 'VAL-28'], sabotage: instead((call, { http }) => http === 400 && at('/payments/initiate')(call) && ['', '[]', '{"clientTransactionId":'].includes(textOf(call)), saying(428)) },
  { does: 'calls what a scheme lacks a bad request',         caughtBy: ['ERR-19'], through: ['VAL-35'], sabotage: refusing(501, '8003', { http: 400 }) },
  { does: 'says 410 where nothing is',                       caughtBy: ['ERR-13', 'ERR-15', 'ERR-16', 'LIF-06', 'RPT-01'], sabotage: refusing(404, '4000', { http: 410 }) },
  { does: 'tells in plain words what a scheme lacks',        caughtBy: ['ERR-01', 'ERR-09', 'ERR-12'], through: ['VAL-35'], sabotage: toText },
  { does: 'fails over a wrong grant type',                   caughtBy: ['ERR-11', 'ERR-21'],       sabotage: answering((reply, call) => (call.body.toString().includes('grant_type=none') ? { ...reply, http: 500 } : undefined)) },
  { does: 'takes any key of a mock for a payer',             caughtBy: ['MCK-19'],          sabotage: setting('"PHONE"', '"PAYER_ID"') },
  { does: 'takes any type of a mock for MOCK',               caughtBy: ['MCK-20'],          sabotage: setting('"REAL"', '"MOCK"') },
  { does: 'sets a mock for nobody',                          caughtBy: ['MCK-21'],          sabotage: reading((body, call) => (call.incoming.url === '/mock/set' && !body.includes('"key"') ? body.replace('{', '{"key":{"type":"PAYER_ID","value":"x"},') : body)) },
]
