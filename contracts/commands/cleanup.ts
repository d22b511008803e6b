import { join } from 'node:path'
import { readProfile } from '../harness/profile/read-profile.ts'
import { shortenedText } from '../harness/report/exchange-text.ts'
import { EXIT_CODES } from '../harness/report/exit-codes.ts'
import { PENDING_FILE, REPORT_FILES, readReportFile, readSavedProfile } from '../harness/report/report-folder.ts'
import { inExistingReportFolder } from '../harness/report/report-folder-lock.ts'
import { findPendingRun, type PendingScenario } from '../harness/run/pending-run.ts'
import { createStopSignal } from '../harness/run/stop-signal.ts'
import {
  findRemainingResources,
  isToCancel,
  type RemainingResources,
} from '../harness/safety/find-remaining-resources.ts'
import { confirmHost } from '../harness/safety/production-limits.ts'
import { createTransportGuard } from '../harness/safety/stop-budget-and-ledger-guard.ts'
import { formatAmounts, type SpentTotals, totalSpent } from '../harness/safety/totals-of-write-ledger.ts'
import {
  continueWriteLedger,
  parseWriteLedger,
  unreadableLines,
  type WriteLedgerLine,
} from '../harness/safety/write-ledger.ts'
import { shellWord } from '../protocol/shell-word.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { type CheckContext, createCheckContext } from '../suites/context/check-context.ts'
import { describeNamelessCharge } from './find-payments-of-nameless-charges.ts'
import { recordRegistrations } from './record-key-and-webhook-registrations.ts'
import { type CleanupResult, removeRemainingResources } from './remove-resources-left-by-run.ts'
import { linesBeside } from './save-paused-scenarios.ts'
import { type OptionValues, printResult, type Subcommand } from './subcommand.ts'

/** Subcommand `assay certify cleanup`: lists what a run left behind and removes what can be removed. */
export const subcommand: Subcommand = {
  usage: 'cleanup DIR [--dry-run]',
  description: `
Lists from the ledger of a run what it wrote and what is still there, cancels authorized payments, and removes registered
signing keys and webhooks. A run does this at its end; this command is for an interrupted run. Payments that wait for a
shopper expire, mocks end after 24 hours; what "resume" still needs is left. Lines of the ledger that cannot be read are named, with exit code 5.

  assay certify cleanup reports/today --dry-run`,
  options: ['profile', 'confirm-host', 'dry-run', 'json'],
  operands: [1, 1],
  execute: (values, [folder = '']) => {
    const act = () => listAndCleanUp(folder, values)
    return values['dry-run'] ? act() : inExistingReportFolder(folder, act)
  },
}

const listAndCleanUp = async (folder: string, values: OptionValues): Promise<number> => {
  const text = readReportFile(folder, REPORT_FILES.ledger)
  const [lines, unreadable] = [parseWriteLedger(text), unreadableLines(text)]
  const waiting = findPendingRun(folder)?.scenarios ?? []
  const [left, cost] = [findRemainingResources(linesBeside(waiting, lines)), totalSpent(lines)]
  const tidied = values['dry-run'] ? undefined : await cleanUp(folder, values, text, waiting)
  const kept = textOfWaiting(folder, waiting.length)
  printResult(
    values,
    () => ({ spent: cost, left, unreadable, tidied }),
    () => `${textOf(left, cost, unreadable, tidied)}${kept}`,
  )
  return unreadable.length > 0 || (tidied && tidied.stays.length > 0) ? EXIT_CODES.incomplete : EXIT_CODES.fine
}

const textOfWaiting = (folder: string, count: number): string =>
  count === 0
    ? ''
    : `${count === 1 ? '1 scenario waits' : `${count} scenarios wait`} for assay certify resume ${shellWord(folder)}: what that needs is left, unless ${PENDING_FILE} is removed\n`

const cleanUp = async (
  folder: string,
  values: OptionValues,
  text: string,
  waiting: readonly PendingScenario[],
): Promise<CleanupResult> => {
  const profile = values.profile === undefined ? readSavedProfile(folder) : readProfile(values.profile)
  confirmHost(profile, values['confirm-host'])
  const ledger = continueWriteLedger(join(folder, REPORT_FILES.ledger), text, tellOnce())
  const guard = createTransportGuard(profile, { stop: createStopSignal(), ledger, paced: true })
  const context = createCheckContext(profile, 3, { transport: guard.wrap, control: recordRegistrations(ledger) })
  try {
    await connectOrganizations(context, ledger.lines)
    return await removeRemainingResources(context, { ...ledger, lines: linesBeside(waiting, ledger.lines) })
  } finally {
    context.close()
  }
}

/** Creates the function that says on the standard error that the ledger cannot be written; clean-up goes on without. */
const tellOnce = (): ((reason: string) => void) => {
  let isTold = false
  return reason => {
    if (!isTold) process.stderr.write(`${visibleText(reason)}.\n`)
    isTold = true
  }
}

/** Connects every organization that the ledger names, where possible; what belongs to any other stays. */
const connectOrganizations = async (context: CheckContext, lines: readonly WriteLedgerLine[]): Promise<void> => {
  const organizations = new Set(lines.flatMap(line => ('of' in line ? [] : [line.organization])))
  const present = () => context.organizations.map(({ merchant }) => merchant.credentials.organizationId)
  if (context.profile.secondOrganization) await context.secondOrganization().catch(() => undefined)
  for (const organization of organizations)
    if (!present().includes(organization)) await context.join(organization).catch(() => undefined)
}

const textOf = (
  left: RemainingResources,
  cost: SpentTotals,
  unreadable: readonly number[],
  tidied: CleanupResult | undefined,
): string => {
  const sums = formatAmounts(cost)
  const authorized = left.payments.filter(isToCancel)
  const begun = left.payments.filter(({ stage }) => stage === 'begun')
  const lines = [
    `${cost.writes} writes, ${cost.payments} payments${sums.length > 0 ? `, ${sums.join(' and ')} as amounts are sent` : ''}`,
    ...authorized.map(({ transactionId }) => `may still be authorized, to be canceled: ${transactionId}`),
    begun.length > 0 ? `${begun.length} payments wait for a shopper and will expire` : '',
    left.mocks > 0 ? `${left.mocks} mocks were set and end within 24 hours` : '',
    ...left.keys.map(({ id }) => `signing key still registered: ${id}`),
    ...left.webhooks.map(({ id }) => `webhook still registered: ${id}`),
    ...left.nameless.map(describeNamelessCharge),
    ...left.unknown.map(
      ({ operation, at, became }) =>
        `${operation} at ${at} got ${became?.status ?? 'no response'}: it may or may not have been carried out`,
    ),
    unreadable.length > 0
      ? `lines of ${REPORT_FILES.ledger} that cannot be read, whose writes may still be there: ${unreadable.join(', ')}`
      : '',
    ...(tidied?.canceled ?? []).map(transactionId => `canceled: ${transactionId}`),
    ...(tidied?.taken ?? []).map(what => `removed: ${what}`),
    ...(tidied?.stays ?? []).map(what => `stays: ${what}`),
  ]
  return `${lines
    .filter(Boolean)
    .map(line => shortenedText(line))
    .join('\n')}\n`
}
