import { createPublicKey } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'undici'
import {
  initiateRequestOf,
  type Prepare,
  plainPool,
  prepareSigned,
  prepareUnsigned,
  requestToken,
  securePool,
  sendPrepared,
  type Work,
} from '../load/http-load.ts'
import { type MerchantCredentials, readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { type Server, startAssay, startForked } from '../load/start-servers.ts'
import { blikPaymentWork } from './blik-payment.ts'
import { createMinimalServerCertificate } from './minimal-server-certificate.ts'

// biome-ignore format: a table reads by its columns
/** Names in the tables of Assay and its reference servers. */
export const SERVER_NAMES = {
  signed: 'Assay, all three layers',
  floor:  'bare server, same cryptography',
  alone:  'the same on one core',
  plain:  'Assay, layers off',
  hono:   'bare Hono, one insert',
} as const

/** A server to measure; `measure` names the reference server of its ratios. */
type MeasuredServer = {
  name: string
  measure?: string
  server: Server
  firstReadyMs: number
  memoryIdleMb: number
  pool(connections: number): Pool
}
/** Servers that get the same load in alternating rounds. */
export type ServerGroup = { runners: MeasuredServer[]; works(count: number): Promise<Work[]> }

type StartedServer<Some extends Server> = { server: Some; firstReadyMs: number; memoryIdleMb: number }
type Twice = <Some extends Server>(start: () => Promise<Some>) => Promise<StartedServer<Some>>

/** Connections to the pages port, for the shopper's part of a payment. */
const SHOPPERS = 50

/** Starts Assay with and without security layers, each with its reference servers. */
export const startMeasuredServers = async (folder: string, twice: Twice) => {
  const [data, openData] = [madeFolder(folder, 'signed'), madeFolder(folder, 'plain')]
  const signed = await twice(() => startAssay(data))
  const open = await twice(() => startAssay(openData, ['--plain-port', '0', '--layers', 'none']))
  const kit = readDemoCredentials(data)
  const token = await requestToken(signed.server.port, kit)
  const own = await createMinimalServerCertificate()
  const clientKey = String(createPublicKey(kit.signingKey.privateKey).export({ type: 'spki', format: 'pem' }))
  const trust = { ...own, clientAuthority: kit.trusted.join('\n'), clientKey, token }
  const floorWith = (oneCore: boolean) =>
    twice(() =>
      startForked('../speed/minimal-server.ts', {
        ...trust,
        oneCore,
        database: join(folder, `floor-${oneCore}.sqlite`),
      }),
    )
  const floor = await floorWith(false)
  const alone = await floorWith(true)
  const hono = await twice(() => startForked('../speed/bare-hono-server.ts', { database: join(folder, 'hono.sqlite') }))

  const trusting: MerchantCredentials = { ...kit, trusted: [...kit.trusted, own.authority] }
  const secure = (port: number) => (size: number) => securePool(port, size, trusting)
  const fully: MeasuredServer = {
    ...signed,
    name: SERVER_NAMES.signed,
    measure: SERVER_NAMES.floor,
    pool: secure(signed.server.port),
  }
  const bare: MeasuredServer = {
    ...open,
    name: SERVER_NAMES.plain,
    measure: SERVER_NAMES.hono,
    pool: plainPoolOf(open.server.plainPort ?? 0),
  }
  const sign = prepareSigned(trusting, token)
  const signedPages = plainPool(signed.server.pagesPort, SHOPPERS)
  const openPages = plainPool(open.server.pagesPort, SHOPPERS)
  return {
    signed: race(
      [
        fully,
        { ...floor, name: SERVER_NAMES.floor, pool: secure(floor.server.port) },
        { ...alone, name: SERVER_NAMES.alone, pool: secure(alone.server.port) },
      ],
      initiates(sign, kit),
    ),
    plain: race(
      [bare, { ...hono, name: SERVER_NAMES.hono, pool: plainPoolOf(hono.server.port) }],
      initiates(prepareUnsigned, kit),
    ),
    payments: [
      race([fully], payments(sign, kit, signedPages)),
      race([bare], payments(prepareUnsigned, readDemoCredentials(openData), openPages)),
    ],
    close: () => Promise.all([signedPages, openPages].map(pool => pool.close())),
  }
}

export const plainPoolOf = (port: number) => (size: number) => plainPool(port, size)

const race = (runners: MeasuredServer[], works: ServerGroup['works']): ServerGroup => ({ runners, works })

const initiates =
  (prepare: Prepare, { processingAccountId }: MerchantCredentials): ServerGroup['works'] =>
  count =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const ready = await prepare(initiateRequestOf(processingAccountId))
        return (pool: Pool) => sendPrepared(pool, ready)
      }),
    )

const payments =
  (prepare: Prepare, { organizationId, processingAccountId }: MerchantCredentials, pages: Pool): ServerGroup['works'] =>
  async count =>
    Array.from({ length: count }, () => blikPaymentWork({ prepare, pages, organizationId, processingAccountId }))

const madeFolder = (parent: string, name: string): string => {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}
