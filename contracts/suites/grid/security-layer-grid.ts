import { generateKeyPairSync } from 'node:crypto'
import type { CallParts } from '../../client/endpoint-call.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import type { CallOverrides } from '../../client/send-signed-call.ts'
import type { CheckScenario } from '../../harness/judge/check.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { readSigningKey } from '../../harness/profile/read-profile-credentials.ts'
import type { OperationName } from '../../operations.ts'
import { COVERED_COMPONENTS } from '../../protocol/signature-base.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import type { CheckContext } from '../context/check-context.ts'
import type { KeySetStep } from '../evidence/key-set-before-and-after.ts'
import { readKeySet } from '../given/harmless-calls.ts'
import { signWithDeviations } from '../request-mutations/sign-with-deviations.ts'
import { withBody, withOtherSignature, withoutHeader, withTarget } from '../request-mutations/tamper-with-requests.ts'
import { deregisteredKey } from '../signing-keys.ts'
import {
  expectRefusedUnlike,
  expectUnmoved,
  GRID_CONTROL,
  lackedOperation,
  readStanding,
  readSteadily,
} from './cell-judgments.ts'
import { callUnderRefusedKey, REFUSED_KEY, REFUSED_KEY_ROW } from './key-of-refused-call-row.ts'
import { createUnspoiled } from './payment-shared-by-forbidden-calls.ts'
import { hasBody, SIGNED_CALLS, type SignedCall } from './signed-operation-columns.ts'
import { SIGNED_RESPONSES, SIGNED_RESPONSES_ROW } from './signed-responses-row.ts'

type Target = { column: OperationName; parts: CallParts }
type LayerRow = {
  id: string
  clause: string
  title: string
  needs?: readonly string[]
  exempt?(profile: Profile): string | undefined
  statuses: readonly number[] | ((profile: Profile, column: OperationName) => readonly number[])
  /** Whether a TLS alert may stand for the refusal (C1). */
  byTls?: true
  /** The one thing that is wrong. */
  fault(context: CheckContext, call: Target): CallOverrides | Promise<CallOverrides>
  /** Columns that the row leaves empty, with the reason; `spots` are judged by a check of their own. */
  empty?: Readonly<Partial<Record<OperationName, string>>>
}

const spots = (checks: Partial<Record<OperationName, string>>) =>
  Object.fromEntries(Object.entries(checks).map(([column, id]) => [column, `${id} judges this cell`]))
const NO_TOKEN = { token: 'a token call has no token (5.3)' }
const OTHER = { needs: ['secondOrganization'] }
const OPEN_SCOPE = 'the document names no scope for it (5.3)'

/** Signs with a new key of the same curve under the id of our own. */
const strangersKey = ({ merchant }: CheckContext): CallOverrides => {
  const [own] = merchant.credentials.signingKeys
  if (!own) return {}
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: own.algorithm.nodeCurve })
  return { signingKey: { ...own, privateKey } }
}

const withAddedQuery = withTarget(target => `${target}${target.includes('?') ? '&' : '?'}added=1`)

/** Changes bytes of the body but not its meaning or length; of a call without a body, the query. */
const otherContent = (context: CheckContext, { column }: Target): CallOverrides => ({
  afterSigning: hasBody(context, column) ? withBody(body => body.replace('\n', ' ')) : withAddedQuery,
})

/** Signs with the expired key of the profile. */
const expiredKey = ({ profile }: CheckContext): CallOverrides => {
  const signingKey = readSigningKey(profile, 'expiredKey')
  return signingKey ? { signingKey } : {}
}

/** Keys of a simulator expire with the time of their organization, which would end those of the correct calls as well. */
const expiresWithTime = ({ control, expiredKey: key, file }: Profile): string | undefined =>
  control && !key ? `${file} names no expiredKey, and SIG-43 lets one expire` : undefined

const deregisteredKeys = new WeakMap<CheckContext, ReturnType<typeof deregisteredKey>>()

/** Signs with one deregistered key for all operations of a run. */
const revokedKey = async (context: CheckContext): Promise<CallOverrides> => {
  const key = deregisteredKeys.get(context) ?? deregisteredKey(context)
  deregisteredKeys.set(context, key)
  return { signingKey: await key }
}

const othersKey = async (context: CheckContext): Promise<CallOverrides> => {
  const [signingKey] = (await context.secondOrganization()).merchant.credentials.signingKeys
  return signingKey ? { signingKey } : {}
}

const lessCovered = (context: CheckContext, { column }: Target): CallOverrides => ({
  sign: signWithDeviations({
    list: hasBody(context, column)
      ? COVERED_COMPONENTS.requestWithBody.filter(name => name !== 'content-digest')
      : COVERED_COMPONENTS.requestWithoutBody.filter(name => name !== '@request-target'),
  }),
})

const UNSIGNED = [400, 401] as const

/** A body that its digest does not match is 400 (7.1). */
const ofOtherContent = (profile: Profile, column: OperationName) => (hasBody({ profile }, column) ? [400] : UNSIGNED)

// biome-ignore format: a table reads by its columns
const LAYER_ROWS: readonly LayerRow[] = [
  { id: 'GRD-01', clause: '5, 7.1',   title: 'no operation is served without a client certificate', statuses: [400], byTls: true,
    empty: spots({ token: 'MTLS-03', status: 'MTLS-02' }), fault: () => ({ connection: { identity: null } }) },
  { id: 'GRD-02', clause: '5.5, 7.3', title: "no operation is served over another organization's certificate", statuses: [400, 401, 403], byTls: true, ...OTHER,
    fault: async context => ({ connection: { identity: (await context.secondOrganization()).merchant.credentials.identity } }) },
  { id: 'GRD-03', clause: '5, 7.3',   title: 'no operation is served without a token', statuses: [401],
    empty: { ...NO_TOKEN, ...spots({ status: 'BRR-01', mockSet: 'MCK-02' }) }, fault: () => ({ token: null }) },
  { id: 'GRD-04', clause: '5, 7.3',   title: 'no operation is served with a garbled token', statuses: [401],
    empty: { ...NO_TOKEN, ...spots({ status: 'BRR-02' }) }, fault: () => ({ token: 'nonsense' }) },
  { id: 'GRD-05', clause: '5, 7.1',   title: 'no operation is served with a token whose signature was changed', statuses: [401],
    empty: NO_TOKEN, fault: async ({ merchant }, { parts }) => ({ token: withOtherSignature(await merchant.tokenFor(parts.scope)) }) },
  { id: 'GRD-06', clause: '5.3, 7.3', title: 'no operation is served with a token of another scope', statuses: [403],
    empty: { ...NO_TOKEN, ...spots({ status: 'GRD-40', events: 'GRD-40', search: 'GRD-40', providers: 'GRD-40' }), mockSet: OPEN_SCOPE, ...spots({ finalize: 'SCP-06', charge: 'SCP-05' }) },
    fault: async ({ merchant }) => ({ token: await merchant.tokenFor('payments:read') }) },
  { id: 'GRD-07', clause: '5.5, 7.3', title: "no operation is served with another organization's token", statuses: [401, 403], ...OTHER,
    empty: NO_TOKEN, fault: async (context, { parts }) => ({ token: await (await context.secondOrganization()).merchant.tokenFor(parts.scope) }) },
  { id: 'GRD-08', clause: '5, 7.1',   title: 'no operation is served without a signature', statuses: UNSIGNED,
    empty: spots({ token: 'SIG-05', mockSet: 'MCK-02' }), fault: () => ({ afterSigning: withoutHeader('signature') }) },
  { id: 'GRD-09', clause: '5.2, 7.1', title: "no operation is served with a stranger's signature", statuses: [401],
    fault: strangersKey },
  { id: 'GRD-10', clause: '5.2, 7.1', title: 'no operation is served with a body or a query other than the signed one', statuses: ofOtherContent,
    empty: spots({ token: 'SIG-09' }), fault: otherContent },
  { id: 'GRD-11', clause: '5.2',      title: 'no operation is served with a signature that covers less', statuses: UNSIGNED,
    empty: spots({ token: 'SIG-15', status: 'SIG-16' }), fault: lessCovered },
  { id: 'GRD-80', clause: '5.2, 7.1', title: 'no operation with a body is served with a query that was not signed', statuses: UNSIGNED,
    empty: spots({ token: 'SIG-12', status: 'GRD-10', events: 'GRD-10', reports: 'GRD-10', downloadReport: 'GRD-10' }), fault: () => ({ afterSigning: withAddedQuery }) },
  { id: 'GRD-36', clause: '5.2, 7.1', title: 'no operation is served with the signature of an expired key', statuses: [401], needs: ['expiredKey'], exempt: expiresWithTime,
    empty: spots({ token: 'SIG-43' }), fault: expiredKey },
  { id: 'GRD-37', clause: '5.2, 7.1', title: 'no operation is served with the signature of a deregistered key', statuses: [401], needs: ['keys.deregistered'],
    empty: spots({ token: 'SIG-33' }), fault: revokedKey },
  { id: 'GRD-38', clause: '5.2, 7.1', title: "no operation is served with the signature of another organization's key", statuses: [401, 403], ...OTHER,
    fault: othersKey },
]

const NOTHING_HAPPENED = 'GRD-12'
const movers = SIGNED_CALLS.filter(({ moves }) => moves)
const TLS_ALERT = /\balert\b|ECONNRESET|EPIPE/i

const cellOf = ({ id, clause, statuses, byTls, empty = {} }: LayerRow, { column, letIn }: SignedCall): Cell => {
  const reason = empty[column]
  if (reason !== undefined) return { column, empty: reason }
  return {
    column,
    clause,
    judge: (evidence, expect) => {
      const forbidden = evidence.of(`${id} ${column}`)
      if (byTls && isAlert(forbidden)) return
      const status = typeof statuses === 'function' ? statuses(expect.profile, column) : statuses
      expectRefusedUnlike(forbidden, () => evidence.of(column), expect, { status }, letIn)
    },
  }
}

const isAlert = ({ transportError: error }: Exchange): boolean =>
  error !== undefined && TLS_ALERT.test(`${error.code} ${error.message}`)

/**
 * Scenario with grid checks of operation × layer: each signed operation with one fault of one layer, beside the same
 * call without it (5).
 */
export const layerGrid: CheckScenario<CheckContext> = {
  name: 'every operation with a fault in each layer',
  tier: 3,
  play: async (context, keep, chosen) => {
    const rows = LAYER_ROWS.filter(({ id }) => chosen.has(id))
    const { merchant, profile } = context
    const keepKeys = async (step: KeySetStep) => {
      if (chosen.has(SIGNED_RESPONSES)) await keep(step, readKeySet(context)).catch(() => undefined)
    }
    await keepKeys('keys before')
    for (const { column, prepare, moves } of SIGNED_CALLS) {
      if (lackedOperation(profile, column) !== undefined) continue
      const subject = createUnspoiled(async () => ({ indent: 1, ...(await prepare(context)) }))
      const show = async (step: string, read: typeof readStanding) => {
        if (!moves || !chosen.has(NOTHING_HAPPENED)) return
        const standing = subject.current().then(parts => read(context, transactionIn(parts)))
        await keep(step, standing).catch(() => undefined)
      }
      await show(`before ${column}`, readSteadily)
      for (const { id, fault, empty } of rows) {
        if (empty?.[column] !== undefined) continue
        const forbidden = subject.attempt(async parts =>
          merchant.request(column, parts, await fault(context, { column, parts })),
        )
        await keep(`${id} ${column}`, forbidden).catch(() => undefined)
      }
      await show(`after ${column}`, readStanding)
      if (chosen.has(REFUSED_KEY) && (await callUnderRefusedKey(context, column, subject, keep).catch(() => false)))
        continue
      await keep(
        column,
        subject.current().then(parts => merchant.request(column, parts)),
      ).catch(() => undefined)
    }
    await keepKeys('keys')
  },
  checks: [
    ...LAYER_ROWS.map(({ fault: _fault, statuses: _statuses, byTls: _byTls, empty: _empty, ...row }, index) =>
      gridRowCheck({
        ...GRID_CONTROL,
        ...row,
        exemptCell: lackedOperation,
        cells: SIGNED_CALLS.map(call => cellOf(LAYER_ROWS[index] as LayerRow, call)),
      }),
    ),
    SIGNED_RESPONSES_ROW,
    REFUSED_KEY_ROW,
    gridRowCheck({
      id: NOTHING_HAPPENED,
      clause: '5',
      title: 'calls with such faults leave payments as they were',
      otherColumns: 'it moves no payment that is there before',
      ...GRID_CONTROL,
      exemptCell: lackedOperation,
      cells: movers.map(({ column }) => ({
        column,
        clause: '5',
        judge: (evidence, expect) => expectUnmoved(evidence, expect, `before ${column}`, `after ${column}`),
      })),
    }),
  ],
}

const transactionIn = ({ json }: CallParts): string => String((json as { transactionId?: string }).transactionId)
