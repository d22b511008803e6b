import { join } from 'node:path'
import { confirmHost } from '../harness/confirm-host.ts'
import { createGuard } from '../harness/guard.ts'
import { createLedger, type LedgerLine, linesOf } from '../harness/ledger.ts'
import { type Leftovers, leftovers, type Spent, spent, sumsOf } from '../harness/leftovers.ts'
import { readProfile } from '../harness/profile.ts'
import { FILES, readOf, readProfileOf } from '../harness/report-folder.ts'
import { createStop } from '../harness/stop.ts'
import { EXIT } from '../harness/summary.ts'
import { createWorld, type World } from '../suites/world.ts'
import { noting } from './noting.ts'
import { type Tidied, tidyUp } from './tidy-up.ts'
import { tell, type Values, type Word } from './word.ts'

/** Tells what a run left behind and takes away what can be. */
export const word: Word = {
  usage: 'cleanup DIR [--dry-run]',
  teaches: `
Tells by the ledger of a run what it wrote and what is still there, cancels payments that are authorized, and takes away
signing keys and webhooks that were registered. A run does so by itself at its end; this is for one that was cut off.
Payments that wait for a shopper end by themselves, mocks after 24 hours.

  assay certify cleanup reports/today --dry-run`,
  takes: ['profile', 'confirm-host', 'dry-run', 'json'],
  operands: [1, 1],
  act: async (values, [folder = '']) => {
    const lines = linesOf(readOf(folder, FILES.ledger))
    const [left, cost] = [leftovers(lines), spent(lines)]
    const tidied = values['dry-run'] ? undefined : await tidiedOf(folder, values, lines)
    tell(
      values,
      () => ({ spent: cost, left, tidied }),
      () => textOf(left, cost, tidied),
    )
    return tidied && tidied.stays.length > 0 ? EXIT.incomplete : EXIT.fine
  },
}

const tidiedOf = async (folder: string, values: Values, lines: readonly LedgerLine[]): Promise<Tidied> => {
  const profile = values.profile === undefined ? readProfileOf(folder) : readProfile(values.profile)
  confirmHost(profile, values['confirm-host'])
  const ledger = createLedger(join(folder, FILES.ledger), lines)
  const guard = createGuard(profile, { stop: createStop(), ledger, paced: true })
  const world = createWorld(profile, 3, { transport: guard.over, operator: noting(ledger) })
  try {
    await comeTogether(world, lines)
    return await tidyUp(world, ledger)
  } finally {
    world.close()
  }
}

/** Whoever has a line in the ledger is asked to come; who cannot is named by what stays. */
const comeTogether = async (world: World, lines: readonly LedgerLine[]): Promise<void> => {
  const organizations = new Set(lines.flatMap(line => ('of' in line ? [] : [line.organization])))
  const present = () => world.players.map(({ merchant }) => merchant.credentials.organizationId)
  if (world.profile.secondOrganization) await world.second().catch(() => undefined)
  for (const organization of organizations)
    if (!present().includes(organization)) await world.join(organization).catch(() => undefined)
}

const textOf = (left: Leftovers, cost: Spent, tidied: Tidied | undefined): string => {
  const sums = sumsOf(cost)
  const authorized = left.payments.filter(({ stage }) => stage === 'authorized')
  const begun = left.payments.filter(({ stage }) => stage === 'begun')
  const lines = [
    `${cost.writes} writes, ${cost.payments} payments${sums.length > 0 ? `, ${sums.join(' and ')} as amounts are sent` : ''}`,
    ...authorized.map(({ transactionId }) => `authorized, to be canceled: ${transactionId}`),
    begun.length > 0 ? `${begun.length} payments wait for a shopper and end by themselves` : '',
    left.mocks > 0 ? `${left.mocks} mocks were set and end within 24 hours` : '',
    ...left.keys.map(({ id }) => `signing key still registered: ${id}`),
    ...left.webhooks.map(({ id }) => `webhook still registered: ${id}`),
    ...left.unknown.map(
      ({ operation, at }) => `${operation} at ${at} got no answer: nobody knows whether it was carried out`,
    ),
    ...(tidied?.canceled ?? []).map(transactionId => `canceled: ${transactionId}`),
    ...(tidied?.taken ?? []).map(what => `taken away: ${what}`),
    ...(tidied?.stays ?? []).map(what => `stays: ${what}`),
  ]
  return `${lines.filter(Boolean).join('\n')}\n`
}
