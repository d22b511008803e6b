import { isServed } from '../../client/http-exchange.ts'
import { assumed, type Check } from '../../harness/judge/check.ts'
import { EmptyCell } from '../../harness/judge/judge-grid-cells.ts'
import { Blocked, Inconclusive, Untestable } from '../../harness/judge/verdict-errors.ts'
import { lackedMethodReason } from '../../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { type Cell, gridRowCheck } from '../check-builders/grid-row-check.ts'
import { expectWebhookSigned } from '../evidence/expect-webhook-signed.ts'
import { readKeySets } from '../evidence/key-set-before-and-after.ts'
import { expectCome } from '../evidence/read-notification.ts'
import { GRID_CONTROL, lackedOperation, lackedPart } from './cell-judgments.ts'
import {
  countUnlike,
  ensureTied,
  isTold,
  isUntold,
  PARTS,
  type Path,
  type PushedStep,
  readDeliveries,
  readPushed,
  readStepWebhooks,
} from './events-and-webhooks-of-step.ts'

const TOLD = 'GRD-52'
/**
 * Id of the grid row of organization × webhook, and name of the step that keeps which webhooks of a stranger's payment
 * came to us.
 */
export const THEIRS = 'GRD-53'
const SIGNED = 'GRD-54'

type Column = { column: string; path: Path; step: PushedStep }

/** Steps whose webhooks are judged, each of the payment that takes it. */
const COLUMNS: readonly Column[] = [
  { column: 'finalize', path: 'paid', step: 'finalize' },
  { column: 'capture', path: 'paid', step: 'capture' },
  { column: 'settlement', path: 'paid', step: 'settlement' },
  { column: 'refund', path: 'paid', step: 'refund' },
  { column: 'cancel', path: 'voided', step: 'cancel' },
  { column: 'charge', path: 'charged', step: 'charge' },
]

/** Steps of other kinds of payment, and of parts. */
const OF_KINDS: readonly Column[] = [
  { column: 'finalize of IRIS', path: 'iris', step: 'finalize' },
  { column: 'refund of IRIS', path: 'iris', step: 'refund' },
  { column: 'finalize of RECURRING', path: 'mandate', step: 'finalize' },
  { column: 'finalize of TOKEN_ONLY', path: 'token', step: 'finalize' },
  ...(Object.keys(PARTS) as (keyof typeof PARTS)[]).map(step => ({ column: step, path: 'parts', step }) as const),
]

/** Columns whose step adds an event, as no other check looks at the events of such payments (4, 6). */
const ADDING: readonly string[] = ['charge', 'refund of IRIS', ...Object.keys(PARTS)]

/** Returns why a deployment has no payments that take the steps of a path; undefined where it has. */
export const lackedPath = (profile: Profile, path: Path): string | undefined => {
  if (path === 'iris') return lackedMethodReason(profile, 'IRIS')
  if (path === 'mandate' || path === 'token') return lackedOperation(profile, 'charge')
  return path === 'parts' ? (lackedPart(profile, 'capture') ?? lackedPart(profile, 'refund')) : undefined
}

const NEEDS = ['fields.events.list', 'fields.webhook.transactionId']

/**
 * An event that can be read was pushed too: as many webhooks name the payment as steps have added events (6). Where some
 * steps are told, which of them are is D-116.
 */
const toldCell = ({ column, path, step }: Column): Cell => ({
  column,
  clause: '6',
  judge: (evidence, expect) => {
    const { profile } = expect
    const lacked = lackedPath(profile, path)
    if (lacked) throw new EmptyCell(lacked)
    const { isAdded, wanted, came, exchange } = readPushed(evidence, profile, path, step)
    if (!isAdded && ADDING.includes(column)) {
      expect.maybeLater('no event of this step', exchange)
      expect.holds(false, 'a further event', 'none', exchange)
    }
    if (!isAdded) throw new EmptyCell('no further event tells of this step: GRD-20, RDS-15 and RDS-16 judge that')
    const isAnyTold = isTold(evidence, profile)
    if (!isAnyTold) ensureTied(profile, exchange)
    if (came < wanted && readStepWebhooks(profile, exchange, false).length >= wanted)
      throw new Inconclusive('a further webhook has the body of an earlier one: it may be that one again', exchange)
    if (came >= wanted && countUnlike(readStepWebhooks(profile, exchange)) < wanted)
      throw new Inconclusive('a further webhook tells what an earlier one does: it may be that one again', exchange)
    const judge = () => expectCome(came >= wanted, 'webhook that names the payment for this step', exchange, expect)
    return isAnyTold ? judge() : expect.specified(judge)
  },
})

/** Why a step need not be told: the deployment lacks it, or it is a settlement, which few deployments tell (D-116). */
const untoldStep = (profile: Profile, column: string): string | undefined =>
  isUntold(profile, column)
    ? `${profile.file} does not say that settlements are told (decisions.D-116)`
    : lackedOperation(profile, column)

const signedCell = ({ column, path, step }: Column): Cell => ({
  column,
  clause: '6',
  judge: async (evidence, expect) => {
    const { fresh, exchange } = readPushed(evidence, expect.profile, path, step)
    if (fresh.length === 0) throw new EmptyCell(`no further webhook came by then: ${TOLD} judges that`)
    for (const webhook of fresh) await expectWebhookSigned(webhook, () => readKeySets(evidence), expect, exchange)
  },
})

/**
 * Webhooks of a stranger's payment came to us: by an address that ours reach too, both organizations may have been
 * configured to it, which only an inbox of each rules out.
 */
const theirCell: Cell = {
  column: 'their payment',
  clause: '7.1',
  judge: (evidence, expect) => {
    const [shown, finalized] = [evidence.of(THEIRS), evidence.of('their finalize')]
    expect.response(finalized)
    if (!isServed(finalized)) throw new Blocked('the other organization has no payment with an outcome', finalized)
    const { profile } = expect
    ensureTied(profile, shown)
    const { webhooks } = readDeliveries(shown)
    const own = readPushed(evidence, profile, 'paid', 'finalize')
    if (webhooks.length > 0 && own.came > 0 && !profile.control) throw sharedAddress(profile.file)
    expect.holds(webhooks.length === 0, 'no webhook of another organization', `${webhooks.length}`, shown)
  },
}

const sharedAddress = (file: string): Untestable =>
  new Untestable(
    `webhooks of both organizations come here: configure another address for the second than webhooks.public of ${file}`,
    undefined,
    'webhooks.public',
  )

/** Grid rows of step × webhook and organization × webhook (6, 7.1). */
export const WEBHOOK_ROWS: readonly Check[] = [
  gridRowCheck({
    ...GRID_CONTROL,
    ...assumed('D-116'),
    id: TOLD,
    clause: '6, E5',
    title: 'every step of a payment that its events show is told by a webhook',
    needs: NEEDS,
    exemptCell: untoldStep,
    otherColumns: 'no step of the payment',
    cells: [...COLUMNS, ...OF_KINDS].map(toldCell),
  }),
  gridRowCheck({
    ...GRID_CONTROL,
    id: THEIRS,
    clause: '6, 7.1',
    title: "no webhook tells of another organization's payment",
    needs: [...NEEDS, 'secondOrganization'],
    otherColumns: 'the row is about their payment as a whole',
    cells: [theirCell],
  }),
  gridRowCheck({
    ...GRID_CONTROL,
    ...assumed('D-100'),
    id: SIGNED,
    clause: '6',
    title: 'the webhooks of every step are signed, and their signatures verify',
    needs: NEEDS,
    exemptCell: lackedOperation,
    otherColumns: 'no step of the payment',
    cells: COLUMNS.map(signedCell),
  }),
]
