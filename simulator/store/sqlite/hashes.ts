import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'

/** A column that follows from the others of its row. */
export const HASH = 'hash'

// biome-ignore format: a table reads by its columns
/** Tables that are asked for a long random text; each has the hash of it in that column. */
const HASHED = [
  ['payments',   'client_transaction_id'],
  ['remembered', 'key'],
] as const

/**
 * A number for a text of an organization. Its index is a fraction of the texts' own, so that a commit writes fewer pages;
 * as texts may share a number, whoever asks by it compares them too.
 */
export const hashOf = (organizationId: string, text: string): number => crc32(`${organizationId} ${text}`)

/** Gives a hash to rows that came without: out of an older file, or of a state that was put by. */
export const hashingRows = (database: Database): (() => void) => {
  database.function('hash_of', hashOf)
  const statements = HASHED.map(([table, text]) =>
    database.prepare(`UPDATE ${table} SET ${HASH} = hash_of(organization_id, ${text}) WHERE ${HASH} IS NULL`),
  )
  return () => {
    for (const statement of statements) statement.run()
  }
}
