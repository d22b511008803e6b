import { randomUUID } from 'node:crypto'
import type { Store } from '../../../simulator/store/store.ts'
import type { Loaded } from '../../../simulator/store/unit-of-work.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import type { Mutant } from './mutant.ts'
import {
  acceptAnyCertificate,
  mutateJsonReply,
  mutateLoaded,
  mutateRefusal,
  mutateRequest,
  mutateStore,
  mutateVerifiedBodyAt,
  signWithUnpublishedKey,
  skipLayer,
} from './simulator-mutations.ts'

const tokenAnswers = (change: (body: Record<string, unknown>, form: string) => object | undefined) =>
  mutateJsonReply((body, _reply, call) =>
    'access_token' in body ? change(body, call.body.toString('utf8')) : undefined,
  )

const initiating = mutateVerifiedBodyAt('/payments/initiate')

const givingKeys = mutateRequest(({ headers }) => {
  if (headers['idempotency-key'] !== undefined) return false
  headers['idempotency-key'] = randomUUID()
  return true
})

/** A conflict under a key is answered by what the key remembers, whatever was asked. */
const forgivingConflicts = mutateStore((store, hits) => ({
  transact: unit =>
    store.transact({
      ...unit,
      decide: loaded => {
        try {
          return unit.decide(loaded)
        } catch (error) {
          if (!(error instanceof Refusal) || error.row.reasonCode !== '3002' || !loaded.idempotentReply) throw error
          hits.count += 1
          return { result: { result: { ...loaded.idempotentReply.reply, replayed: true } } as never }
        }
      },
    }),
}))

/** Keys are never remembered, so that every retry is a new call. */
const forgettingKeys = mutateLoaded((loaded, hits) => {
  if (loaded.idempotentReply) hits.count += 1
  return { ...loaded, idempotentReply: undefined }
})

/** Whoever knows the id of a payment may see and move it. */
const mixingOrganizations = mutateStore((store, hits) => ({
  transact: async unit => {
    const organizationId = await ownerOf(store, unit.organizationId, unit.needs.transactionId, unit.now)
    if (organizationId !== unit.organizationId) hits.count += 1
    return store.transact({ ...unit, organizationId })
  },
}))

const ownerOf = async (store: Store, caller: string, transactionId: string | undefined, now: number) => {
  if (transactionId === undefined) return caller
  for (const { organizationId } of await store.organizations()) {
    const decide = ({ payment }: Loaded) => ({ result: payment !== undefined })
    if (await store.transact({ organizationId, now, needs: { transactionId }, decide })) return organizationId
  }
  return caller
}

/** What a good signature by the right key is needed for. */
const SIGNATURE_CHECKS = [
  'ERR-18 IDM-40 MCK-02 MTLS-11 SIG-04 SIG-05 SIG-06 SIG-07 SIG-08 SIG-09 SIG-10 SIG-11 SIG-12 SIG-13 SIG-14 SIG-15 SIG-16',
  'SIG-17 SIG-18 SIG-20 SIG-22 SIG-25 SIG-26 SIG-27 SIG-28 SIG-29 SIG-31 SIG-32 SIG-33 SIG-35 SIG-42 SIG-43',
  'SIG-44 SIG-45 SIG-46 SIG-47 SIG-48 SIG-49 SIG-50 SIG-51 SIG-58 SIG-59 TOK-14 TOK-15',
].flatMap(ids => ids.split(' '))

/**
 * Mutants of the first rules of each section of checks: tokens, keys, certificates, signatures, amounts, states, stored
 * replies.
 */
export const BASIC_MUTANTS: readonly Mutant[] = [
  {
    does: 'hands out tokens for an hour',
    caughtBy: ['TOK-02'],
    mutation: tokenAnswers(body => ({ ...body, expires_in: 3600 })),
  },
  {
    does: 'hands out refresh tokens',
    caughtBy: ['TOK-05'],
    mutation: tokenAnswers(body => ({ ...body, refresh_token: 'again' })),
  },
  {
    does: 'says that it granted payments:process to who asked for nothing',
    caughtBy: ['TOK-07'],
    mutation: tokenAnswers((body, form) =>
      form.includes('scope=') ? undefined : { ...body, scope: 'payments:read payments:process' },
    ),
  },
  {
    does: 'publishes private keys',
    caughtBy: ['RSP-03'],
    mutation: mutateJsonReply(body =>
      Array.isArray(body.keys) ? { keys: body.keys.map(key => ({ ...key, d: 'secret' })) } : undefined,
    ),
  },
  {
    does: 'signs its responses with a key that it does not publish',
    caughtBy: ['RSP-02', 'RSP-06', 'RSP-07', 'RSP-08', 'RSP-10'],
    mutation: signWithUnpublishedKey,
  },
  {
    does: 'treats callers without a certificate as the demo merchant',
    caughtBy: ['MTLS-02', 'MTLS-03', 'MTLS-04', 'MTLS-05', 'MTLS-06', 'MTLS-12', 'MTLS-13'],
    mutation: acceptAnyCertificate,
  },
  {
    does: 'accepts calls without verifying signatures',
    caughtBy: SIGNATURE_CHECKS,
    mutation: skipLayer('verifySignature'),
  },
  { does: 'accepts signatures of any age', caughtBy: ['SIG-28'], config: { signatureAge: 1000 * 86_400_000 } },
  {
    does: 'accepts signatures created in the future',
    caughtBy: ['SIG-29'],
    config: { signatureAhead: 1000 * 86_400_000 },
  },
  {
    does: 'says 4970 where a scope is missing',
    caughtBy: ['MTLS-07', 'SCP-01', 'SCP-02', 'SCP-03', 'SCP-04', 'SCP-05', 'SCP-06', 'SCP-09', 'SCP-10'],
    mutation: mutateRefusal(403, '4971', { reasonCode: '4970' }),
  },
  {
    does: 'reports an expired token as invalid',
    caughtBy: ['TOK-18'],
    mutation: mutateRefusal(401, '4061', { reasonCode: '4970' }),
  },
  {
    does: 'takes the amount 0 for 1',
    caughtBy: ['VAL-10', 'VAL-11'],
    mutation: initiating(body => body.replace('"amount":0,', '"amount":1,')),
  },
  {
    does: 'cuts a code of seven digits to six',
    caughtBy: ['VAL-24'],
    mutation: initiating(body => body.replace('"oneTimeCode":"1234567"', '"oneTimeCode":"123456"')),
  },
  {
    does: 'never captures by itself',
    caughtBy: ['LIF-02', 'RDS-23'],
    stopsOthers: true,
    mutation: initiating(body => body.replace('"autoCapture":true', '"autoCapture":false')),
  },
  {
    does: 'settles an hour late',
    caughtBy: ['IRS-11', 'LIF-05', 'LIF-35', 'LIF-34'],
    stopsOthers: true,
    config: { settleAfter: 3_600_000 },
  },
  {
    does: 'returns 400 for a forbidden state transition',
    caughtBy: [
      'ERR-07',
      'IRS-13',
      'IRS-14',
      'LIF-07',
      'LIF-10',
      'LIF-11',
      'LIF-12',
      'LIF-13',
      'LIF-14',
      'LIF-18',
      'LIF-19',
      'LIF-26',
    ],
    mutation: mutateRefusal(422, '5002', { http: 400 }),
  },
  {
    does: 'gives an Idempotency-Key to calls that have none',
    caughtBy: ['IDM-01', 'IDM-02', 'IDM-03', 'IDM-04', 'IDM-05', 'IDM-06', 'IDM-07'],
    mutation: givingKeys,
  },
  {
    does: 'replays the stored response instead of 409',
    caughtBy: ['IDM-15', 'IDM-17', 'IDM-18', 'IDM-45'],
    mutation: forgivingConflicts,
  },
  {
    does: 'stores no Idempotency-Key',
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
      'IDM-45',
    ],
    stopsOthers: true,
    mutation: forgettingKeys,
  },
  {
    does: 'accepts any Service-Version',
    caughtBy: ['VER-03', 'VER-04'],
    mutation: skipLayer('selectVersion'),
  },
  {
    does: 'does not check which organization owns a payment',
    caughtBy: ['LIF-28', 'RDS-04', 'RDS-05'],
    mutation: mixingOrganizations,
  },
]
