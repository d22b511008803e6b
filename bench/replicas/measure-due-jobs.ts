import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { realTime } from '../../contracts/client/wall-clock.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { createPostgresSchema } from '../../test/support/create-postgres-schema.ts'
import { openInProcessSimulator } from '../growth/in-process-simulator.ts'
import { type KeepServer, startAssay } from '../load/start-servers.ts'
import type { DueJobFigures } from './replicas-table.ts'

const ORGANIZATIONS = 20
const JOBS = { full: 10_000, quick: 200 }
/** Time until the first jobs are due, in which the replicas start and find each other. */
const LEAD_MS = { full: 16_000, quick: 4_000 }
/** Time from the jobs that warm the replicas up to those that are measured: enough to run the former. */
const GAP_MS = { full: 24_000, quick: 3_000 }
const LOOK_MS = 20

/**
 * Measures how many deadlines a second one and two replicas run of those that fall due at one instant: payments of
 * twenty organizations whose shopper has not come expire. As many for each replica before them compile the code, which
 * each does by itself.
 */
export const measureDueJobs = async (
  { folder, url, quick, cpuMs }: { folder: string; url: string; quick: boolean; cpuMs(): number },
  keep: KeepServer,
): Promise<DueJobFigures[]> => {
  const figures: DueJobFigures[] = []
  for (const replicas of [1, 2]) {
    const store = await createPostgresSchema(url)
    const size = quick ? 'quick' : 'full'
    const first = await startAssay(join(folder, `due ${replicas}`), ['--store', store]) // makes the certificate authority
    await first.stop()
    const warmUpAt = await fill(store, { warmUp: JOBS[size] * replicas, jobs: JOBS[size] }, LEAD_MS[size], GAP_MS[size])
    const dueAt = warmUpAt + GAP_MS[size]
    const servers = await Promise.all(
      Array.from({ length: replicas }, async (_, at) =>
        keep(await startAssay(join(folder, `due ${replicas} ${at}`), ['--store', store])),
      ),
    )
    const serviceMs = () => servers.reduce((sum, server) => sum + server.usage().cpuMs, 0)
    await timeUntilDone(store, warmUpAt)
    await pause(Math.max(0, dueAt - realTime()))
    const before = { service: serviceMs(), database: cpuMs() }
    const seconds = await timeUntilDone(store, dueAt)
    const perJob = (spentMs: number) => (spentMs * 1_000) / JOBS[size]
    figures.push({
      replicas,
      perSecond: JOBS[size] / seconds,
      serviceMicroseconds: perJob(serviceMs() - before.service),
      databaseMicroseconds: perJob(cpuMs() - before.database),
    })
    await Promise.all(servers.map(server => server.stop()))
  }
  return figures
}

/**
 * Fills a schema with payments that wait for their shopper, first those that warm the replicas up, then those that are
 * measured, whose window ends later by a gap; returns when the window of the first ends.
 */
const fill = async (
  url: string,
  { warmUp, jobs }: { warmUp: number; jobs: number },
  leadMs: number,
  gapMs: number,
): Promise<number> => {
  const { made, close } = await openInProcessSimulator(await openPostgresStore(url), 'org-0')
  await close()
  const client = new pg.Client(url)
  await client.connect()
  const dueAt = realTime() + leadMs
  await client.query('DELETE FROM jobs')
  await client.query(
    `INSERT INTO organizations (organization_id, account_ids, kit)
     SELECT 'org-' || number, json_build_array('org-' || number || '-account-1')::text, '{}' FROM generate_series(1, $1::int - 1) AS number`,
    [ORGANIZATIONS],
  )
  await addWaiting(client, made, { from: 1, to: warmUp }, dueAt)
  await addWaiting(client, made, { from: warmUp + 1, to: warmUp + jobs }, dueAt + gapMs)
  await client.query('ANALYZE')
  await client.end()
  return dueAt
}

const addWaiting = (client: pg.Client, made: Payment, { from, to }: { from: number; to: number }, dueAt: number) =>
  client.query(
    `WITH waiting AS (
       INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
         status, amount, created_at, record)
       SELECT id, organization, organization || '-account-1', id, 'payer-1', 'IRIS', 'PENDING', $2, $3, ($4::jsonb ||
         jsonb_build_object('transactionId', id, 'organizationId', organization, 'clientTransactionId', id,
           'processingAccountId', organization || '-account-1'))::text
       FROM generate_series($1::int, $6::int) AS number CROSS JOIN LATERAL (SELECT
         'payment-' || number AS id, 'org-' || number % ${ORGANIZATIONS} AS organization) AS made
       RETURNING transaction_id, organization_id)
     INSERT INTO jobs (organization_id, due_at, name, transaction_id)
     SELECT organization_id, $5, 'shopper-window', transaction_id FROM waiting`,
    [from, made.amount, made.createdAt, JSON.stringify(made), dueAt, to],
  )

/** Waits until no job is left of those due at an instant; returns the seconds since then. */
const timeUntilDone = async (url: string, dueAt: number): Promise<number> => {
  const client = new pg.Client(url)
  await client.connect()
  for (;;) {
    const { rowCount } = await client.query('SELECT FROM jobs WHERE due_at <= $1 LIMIT 1', [dueAt])
    if (rowCount === 0) break
    await pause(LOOK_MS)
  }
  await client.end()
  return (realTime() - dueAt) / 1_000
}
