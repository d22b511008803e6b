import { randomUUID } from 'node:crypto'
import { Refusal } from '../../simulator/refusal.ts'
import type { Loaded, Store } from '../../simulator/store/port.ts'
import { CHARGE_SABOTEURS } from './charge-saboteurs.ts'
import { FAULT_SABOTEURS } from './fault-saboteurs.ts'
import { IDEMPOTENCY_SABOTEURS } from './idempotency-saboteurs.ts'
import { IDENTITY_SABOTEURS } from './identity-saboteurs.ts'
import { LATE_SABOTEURS } from './late-saboteurs.ts'
import { LIFECYCLE_SABOTEURS } from './lifecycle-saboteurs.ts'
import { LIMIT_SABOTEURS } from './limit-saboteurs.ts'
import { MOCK_SABOTEURS } from './mock-saboteurs.ts'
import { READ_SABOTEURS } from './read-saboteurs.ts'
import {
  answeringJson,
  calling,
  loading,
  receiving,
  refusing,
  type Saboteur,
  signingAsNobody,
  skipping,
  storing,
  trustingAnybody,
} from './sabotage.ts'
import { SIGNATURE_SABOTEURS } from './signature-saboteurs.ts'
import { TIME_SABOTEURS } from './time-saboteurs.ts'
import { TLS_SABOTEURS } from './tls-saboteurs.ts'
import { TOKEN_SABOTEURS } from './token-saboteurs.ts'
import { VALIDATION_SABOTEURS } from './validation-saboteurs.ts'
import { VERSION_SABOTEURS } from './version-saboteurs.ts'
import { WEBHOOK_SABOTEURS } from './webhook-saboteurs.ts'

const tokenAnswers = (change: (body: Record<string, unknown>, form: string) => object | undefined) =>
  answeringJson((body, _reply, call) => ('access_token' in body ? change(body, call.body.toString('utf8')) : undefined))

const initiating = calling('/payments/initiate')

const givingKeys = receiving(({ headers }) => {
  if (headers['idempotency-key'] !== undefined) return false
  headers['idempotency-key'] = randomUUID()
  return true
})

/** A conflict under a key is answered by what the key remembers, whatever was asked. */
const forgivingConflicts = storing((store, hits) => ({
  perform: unit =>
    store.perform({
      ...unit,
      decide: loaded => {
        try {
          return unit.decide(loaded)
        } catch (error) {
          if (!(error instanceof Refusal) || error.row.reasonCode !== '3002' || !loaded.remembered) throw error
          hits.count += 1
          return { result: { executed: { ...loaded.remembered.reply, replayed: true }, save: {} } as never }
        }
      },
    }),
}))

/** Keys are never remembered, so that every retry is a new call. */
const forgettingKeys = loading((loaded, hits) => {
  if (loaded.remembered) hits.count += 1
  return { ...loaded, remembered: undefined }
})

/** Whoever knows the id of a payment may see and move it. */
const mixingOrganizations = storing((store, hits) => ({
  perform: async unit => {
    const organizationId = await ownerOf(store, unit.organizationId, unit.needs.transactionId, unit.now)
    if (organizationId !== unit.organizationId) hits.count += 1
    return store.perform({ ...unit, organizationId })
  },
}))

const ownerOf = async (store: Store, caller: string, transactionId: string | undefined, now: number) => {
  if (transactionId === undefined) return caller
  for (const { organizationId } of await store.organizations()) {
    const decide = ({ payment }: Loaded) => ({ result: payment !== undefined })
    if (await store.perform({ organizationId, now, needs: { transactionId }, decide })) return organizationId
  }
  return caller
}

/** What a good signature by the right key is needed for. */
const SIGNATURE_CHECKS = [
  'ERR-18 IDM-40 MCK-02 MTLS-11 SIG-04 SIG-05 SIG-06 SIG-07 SIG-08 SIG-09 SIG-10 SIG-11 SIG-12 SIG-13 SIG-14 SIG-15 SIG-16',
  'SIG-17 SIG-18 SIG-20 SIG-22 SIG-25 SIG-26 SIG-27 SIG-28 SIG-29 SIG-31 SIG-32 SIG-33 SIG-35 SIG-38 SIG-42 TOK-14 TOK-15',
].flatMap(ids => ids.split(' '))

export const SABOTEURS: readonly Saboteur[] = [
  {
    does: 'hands out tokens for an hour',
    caughtBy: ['TOK-02'],
    sabotage: tokenAnswers(body => ({ ...body, expires_in: 3600 })),
  },
  {
    does: 'hands out refresh tokens',
    caughtBy: ['TOK-05'],
    sabotage: tokenAnswers(body => ({ ...body, refresh_token: 'again' })),
  },
  {
    does: 'says that it granted payments:process to who asked for nothing',
    caughtBy: ['TOK-07'],
    sabotage: tokenAnswers((body, form) =>
      form.includes('scope=') ? undefined : { ...body, scope: 'payments:read payments:process' },
    ),
  },
  {
    does: 'shows the private part of its keys',
    caughtBy: ['RSP-03'],
    sabotage: answeringJson(body =>
      Array.isArray(body.keys) ? { keys: body.keys.map(key => ({ ...key, d: 'secret' })) } : undefined,
    ),
  },
  {
    does: 'signs its answers with a key that it does not publish',
    caughtBy: ['RSP-02', 'RSP-06', 'RSP-07', 'RSP-08', 'RSP-10'],
    sabotage: signingAsNobody,
  },
  {
    does: 'takes everybody without a certificate for the demo merchant',
    caughtBy: ['MTLS-02', 'MTLS-03', 'MTLS-04', 'MTLS-05', 'MTLS-06', 'MTLS-12'],
    sabotage: trustingAnybody,
  },
  { does: 'looks at no signature', caughtBy: SIGNATURE_CHECKS, sabotage: skipping('verifySignature') },
  { does: 'accepts signatures of any age', caughtBy: ['SIG-28'], config: { signatureAge: 1000 * 86_400_000 } },
  {
    does: 'accepts signatures of tomorrow',
    caughtBy: ['SIG-29'],
    config: { signatureAhead: 1000 * 86_400_000 },
  },
  {
    does: 'says 4970 where a scope is missing',
    caughtBy: ['MTLS-07', 'SCP-01', 'SCP-02', 'SCP-03', 'SCP-04', 'SCP-05', 'SCP-06', 'SCP-09', 'SCP-10'],
    sabotage: refusing(403, '4971', { reasonCode: '4970' }),
  },
  {
    does: 'calls an expired token an invalid one',
    caughtBy: ['TOK-18'],
    sabotage: refusing(401, '4061', { reasonCode: '4970' }),
  },
  {
    does: 'takes the amount 0 for 1',
    caughtBy: ['VAL-10', 'VAL-11'],
    sabotage: initiating(body => body.replace('"amount":0,', '"amount":1,')),
  },
  {
    does: 'cuts a code of seven digits to six',
    caughtBy: ['VAL-24'],
    sabotage: initiating(body => body.replace('"oneTimeCode":"1234567"', '"oneTimeCode":"123456"')),
  },
  {
    does: 'never captures by itself',
    caughtBy: ['LIF-02'],
    sabotage: initiating(body => body.replace('"autoCapture":true', '"autoCapture":false')),
  },
  ...CHARGE_SABOTEURS,
  ...READ_SABOTEURS,
  ...IDENTITY_SABOTEURS,
  ...FAULT_SABOTEURS,
  ...MOCK_SABOTEURS,
  ...WEBHOOK_SABOTEURS,
  ...IDEMPOTENCY_SABOTEURS,
  ...LATE_SABOTEURS,
  ...LIFECYCLE_SABOTEURS,
  ...LIMIT_SABOTEURS,
  ...SIGNATURE_SABOTEURS,
  ...TIME_SABOTEURS,
  ...TLS_SABOTEURS,
  ...TOKEN_SABOTEURS,
  ...VALIDATION_SABOTEURS,
  ...VERSION_SABOTEURS,
  {
    does: 'settles an hour late',
    caughtBy: ['LIF-05'],
    config: { settleAfter: 3_600_000 },
  },
  {
    does: 'calls what the life cycle forbids a bad request',
    caughtBy: ['ERR-07', 'LIF-07', 'LIF-10', 'LIF-11', 'LIF-12', 'LIF-13', 'LIF-14', 'LIF-18', 'LIF-19', 'LIF-26'],
    sabotage: refusing(422, '5002', { http: 400 }),
  },
  {
    does: 'gives an Idempotency-Key to calls that have none',
    caughtBy: ['IDM-01', 'IDM-02', 'IDM-03', 'IDM-04', 'IDM-05', 'IDM-06', 'IDM-07'],
    sabotage: givingKeys,
  },
  {
    does: 'answers a conflict with what the key remembers',
    caughtBy: ['IDM-15', 'IDM-17', 'IDM-18'],
    sabotage: forgivingConflicts,
  },
  {
    does: 'forgets every key at once',
    caughtBy: [
      'IDM-08',
      'IDM-09',
      'IDM-10',
      'IDM-11',
      'IDM-12',
      'IDM-13',
      'IDM-14',
      'IDM-15',
      'IDM-17',
      'IDM-18',
      'IDM-28',
      'IDM-37',
      'IDM-38',
      'IDM-39',
    ],
    sabotage: forgettingKeys,
  },
  {
    does: 'serves every version that anybody asks for',
    caughtBy: ['VER-03', 'VER-04'],
    sabotage: skipping('selectVersion'),
  },
  {
    does: 'lets everybody see and move every payment',
    caughtBy: ['LIF-28', 'RDS-04', 'RDS-05'],
    sabotage: mixingOrganizations,
  },
]
