import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger, type Ledger } from '../crash/ledger.ts'
import type { Counts } from '../crash/prove.ts'
import { openReceiver, type Receiver } from '../crash/receiver.ts'
import type { Shop } from '../crash/shop.ts'
import { type Chance, seededChance } from '../support/chance.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type Line, openLine } from './line.ts'
import { type Replicas, startReplicas } from './replicas.ts'
import { calm, tillAnswered, type Weather } from './till-answered.ts'

export type Scene = Counts & {
  folder: string
  chance: Chance
  ledger: Ledger
  postgres: TestPostgres
  line: Line
  /** The address of the database that is the first now, beside the line. */
  books: string
  replicas: Replicas
  receiver: Receiver
  weather: Weather
  /** Any replica, again and again. */
  shop: Shop
  problems: string[]
  /** The first call whose key is kept: a drain leaps over the life of all before. */
  keysFrom: number
  end(): Promise<void>
}

/** Several replicas over one PostgreSQL behind a line that can be cut. */
export const setScene = async (seed: number, folder: string, count: number): Promise<Scene> => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('There is no PostgreSQL on this machine.')
  const [problems, weather, chance]: [string[], Weather, Chance] = [[], calm(), seededChance(seed)]
  const problem = (sentence: string) => void problems.push(sentence)
  const line = await openLine(postgres.port)
  const receiver = await openReceiver(chance)
  const store = postgres.url.replace(`:${postgres.port}/`, `:${line.port}/`)
  process.once('exit', postgres.remove) // a proof that is broken off leaves nothing running
  const endOutside = () => {
    process.off('exit', postgres.remove)
    receiver.close()
    line.close()
    postgres.remove()
  }
  const replicas = await startReplicas({ folder, store, count, problem }).catch((error: unknown) => {
    endOutside()
    throw error
  })
  const shop = tillAnswered({ shops: replicas.shops, weather, problem })
  const { status } = await shop.control('webhooks', { url: receiver.url })
  if (status !== 201) problem(`a webhook was registered with ${status}`)
  const end = async () => {
    await replicas.end()
    endOutside()
  }
  const books = postgres.url
  const counts = { replayed: 0, unanswered: { done: 0, notDone: 0 } }
  return {
    ...counts,
    folder,
    chance,
    ledger: createLedger(),
    postgres,
    line,
    books,
    replicas,
    receiver,
    weather,
    shop,
    problems,
    keysFrom: 0,
    end,
  }
}

export const temporary = ({ folder }: Scene): string => mkdtempSync(join(folder, 'books-'))
