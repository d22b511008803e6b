import { createPublicKey } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'undici'
import { blikPayment } from './blik-payment.ts'
import { floorCertificate } from './certificate.ts'
import { firstKit, type Kit } from './kit.ts'
import {
  initiateOf,
  type Prepare,
  plainly,
  plainPool,
  securePool,
  send,
  signedWith,
  tokenFor,
  type Work,
} from './load.ts'
import { type Server, startAssay, startForked } from './servers.ts'

// biome-ignore format: a table reads by its columns
/** Whom we bring ourselves, as the tables call them. */
export const NAMES = {
  signed: 'Assay, all three layers',
  floor:  'bare server, same cryptography',
  alone:  'the same on one core',
  plain:  'Assay, layers off',
  hono:   'bare Hono, one insert',
} as const

/** Who is measured; `measure` is the one beside whom its rate and processor time are put as ratios. */
export type Runner = {
  name: string
  measure?: string
  server: Server
  firstReadyMs: number
  memoryIdleMb: number
  pool(connections: number): Pool
}
/** Runners that are given the same works in turns. */
export type Race = { runners: Runner[]; works(count: number): Promise<Work[]> }

export type Started<Some extends Server> = { server: Some; firstReadyMs: number; memoryIdleMb: number }
type Twice = <Some extends Server>(start: () => Promise<Some>) => Promise<Started<Some>>

/** Connections to the pages' port, for the shopper's part of a payment. */
const SHOPPERS = 50

/** Our own: Assay with all layers beside the floor, that on one core too, and Assay without beside a bare server. */
export const openStage = async (folder: string, twice: Twice) => {
  const [data, openData] = [madeFolder(folder, 'signed'), madeFolder(folder, 'plain')]
  const signed = await twice(() => startAssay(data))
  const open = await twice(() => startAssay(openData, ['--plain-port', '0', '--layers', 'none']))
  const kit = firstKit(data)
  const token = await tokenFor(signed.server.port, kit)
  const own = await floorCertificate()
  const clientKey = String(createPublicKey(kit.signingKey.privateKey).export({ type: 'spki', format: 'pem' }))
  const trust = { ...own, clientAuthority: kit.trusted.join('\n'), clientKey, token }
  const floorWith = (oneCore: boolean) =>
    twice(() => startForked('floor.ts', { ...trust, oneCore, database: join(folder, `floor-${oneCore}.sqlite`) }))
  const floor = await floorWith(false)
  const alone = await floorWith(true)
  const hono = await twice(() => startForked('bare-hono.ts', { database: join(folder, 'hono.sqlite') }))

  const trusting: Kit = { ...kit, trusted: [...kit.trusted, own.authority] }
  const secure = (port: number) => (size: number) => securePool(port, size, trusting)
  const fully: Runner = { ...signed, name: NAMES.signed, measure: NAMES.floor, pool: secure(signed.server.port) }
  const bare: Runner = { ...open, name: NAMES.plain, measure: NAMES.hono, pool: plain(open.server.plainPort ?? 0) }
  const sign = signedWith(trusting, token)
  const signedPages = plainPool(signed.server.pagesPort, SHOPPERS)
  const openPages = plainPool(open.server.pagesPort, SHOPPERS)
  return {
    signed: race(
      [
        fully,
        { ...floor, name: NAMES.floor, pool: secure(floor.server.port) },
        { ...alone, name: NAMES.alone, pool: secure(alone.server.port) },
      ],
      initiates(sign, kit),
    ),
    plain: race([bare, { ...hono, name: NAMES.hono, pool: plain(hono.server.port) }], initiates(plainly, kit)),
    payments: [
      race([fully], payments(sign, kit, signedPages)),
      race([bare], payments(plainly, firstKit(openData), openPages)),
    ],
    close: () => Promise.all([signedPages, openPages].map(pool => pool.close())),
  }
}

export const plain = (port: number) => (size: number) => plainPool(port, size)

const race = (runners: Runner[], works: Race['works']): Race => ({ runners, works })

const initiates =
  (prepare: Prepare, { processingAccountId }: Kit): Race['works'] =>
  count =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const ready = await prepare(initiateOf(processingAccountId))
        return (pool: Pool) => send(pool, ready)
      }),
    )

const payments =
  (prepare: Prepare, { organizationId, processingAccountId }: Kit, pages: Pool): Race['works'] =>
  async count =>
    Array.from({ length: count }, () => blikPayment({ prepare, pages, organizationId, processingAccountId }))

const madeFolder = (parent: string, name: string): string => {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}
