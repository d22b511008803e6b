import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientRecord, createClientRecord } from '../crash/client-call-record.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../crash/failing-webhook-receiver.ts'
import type { SandboxClient } from '../crash/sandbox-client.ts'
import type { ReplayCounts } from '../crash/verify-durability.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts'
import { type ReplicaProcesses, startReplicaProcesses } from './replica-processes.ts'
import { createRetryingClient, newOutageObservations, type OutageObservations } from './retrying-client.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type OutageFixture = ReplayCounts & {
  folder: string
  chance: SeededRandom
  ledger: ClientRecord
  postgres: PostgresServer
  proxy: TcpProxy
  /** URL of the current primary database, without the proxy. */
  databaseUrl: string
  replicas: ReplicaProcesses
  receiver: WebhookReceiver
  observations: OutageObservations
  /** Client that retries over all replicas. */
  shop: SandboxClient
  problems: string[]
  /** Index of the first call whose key has not expired. */
  keysFrom: number
  end(): Promise<void>
}

/**
 * Starts the fixture of an outage test: replicas over one PostgreSQL behind a TCP proxy, with receiver, record and
 * client.
 */
export const createOutageFixture = async (seed: number, folder: string, count: number): Promise<OutageFixture> => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('There is no PostgreSQL on this machine.')
  const [problems, observations, chance]: [string[], OutageObservations, SeededRandom] = [
    [],
    newOutageObservations(),
    seededRandom(seed),
  ]
  const problem = (sentence: string) => void problems.push(sentence)
  const proxy = await openTcpProxy(postgres.port)
  const receiver = await openWebhookReceiver(chance)
  const store = postgres.url.replace(`:${postgres.port}/`, `:${proxy.port}/`)
  process.once('exit', postgres.remove) // an interrupted run leaves nothing running
  const closeAllButReplicas = () => {
    process.off('exit', postgres.remove)
    receiver.close()
    proxy.close()
    postgres.remove()
  }
  const replicas = await startReplicaProcesses({ folder, store, count, problem }).catch((error: unknown) => {
    closeAllButReplicas()
    throw error
  })
  const shop = createRetryingClient({ shops: replicas.shops, observations, problem })
  const { status } = await shop.control('webhooks', { url: receiver.url })
  if (status !== 201) problem(`a webhook was registered with ${status}`)
  const end = async () => {
    await replicas.end()
    closeAllButReplicas()
  }
  const databaseUrl = postgres.url
  const counts = { replayed: 0, unanswered: { done: 0, notDone: 0 } }
  return {
    ...counts,
    folder,
    chance,
    ledger: createClientRecord(),
    postgres,
    proxy,
    databaseUrl,
    replicas,
    receiver,
    observations,
    shop,
    problems,
    keysFrom: 0,
    end,
  }
}

export const createCopyFolder = ({ folder }: OutageFixture): string => mkdtempSync(join(folder, 'copy-'))
