import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createGroupCommit } from '../../simulator/store/sqlite/group-commit.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Opens a database with an immediate unique constraint and a deferred foreign key, and its group commit. */
const openWords = () => {
  const database = new Database(`${temporaryFolder()}/words.db`)
  onTestFinished(() => void database.close())
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = ON')
  database.exec(`
    CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE words (word TEXT UNIQUE, parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`)
  const insert = database.prepare('INSERT INTO words VALUES (?, ?)')
  const { transact } = createGroupCommit(database)
  const words = () => database.prepare('SELECT word FROM words ORDER BY rowid').pluck().all()
  const decided: string[] = []
  return {
    words,
    /** Words in the order of their decisions, each of which must run once. */
    decided,
    /** Saves words, one row each; returns the words there before. */
    add: (saved: readonly string[], parent: string | null = null) =>
      transact(() => {
        decided.push(...saved)
        return { result: words(), save: () => saved.forEach(word => void insert.run(word, parent)) }
      }),
    refuse: (reason: string) =>
      transact(() => {
        throw new Error(reason)
      }),
    /** Number of pages in the WAL, which counts a page once per commit. */
    pagesWritten: () => (database.pragma('wal_checkpoint(PASSIVE)') as { log: number }[])[0]?.log,
  }
}

test('D-112: concurrent transactions share one commit, and each sees those before it', async () => {
  const [together, apart] = [openWords(), openWords()]
  const seen = await Promise.all(['a', 'b', 'c'].map(word => together.add([word])))
  for (const word of ['a', 'b', 'c']) await apart.add([word])
  expect(seen).toEqual([[], ['a'], ['a', 'b']])
  expect(together.pagesWritten()).toBeLessThan(Number(apart.pagesWritten()))
})

test('I3: a transaction that fails leaves nothing behind and does not affect the others', async () => {
  const { add, refuse, words, decided } = openWords()
  const told = await Promise.allSettled([add(['a']), add(['b', 'a']), refuse('not allowed'), add(['c'])])
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(decided).toEqual(['a', 'b', 'a', 'c'])
  expect(told[2]).toMatchObject({ reason: { message: 'not allowed' } })
  expect(words()).toEqual(['a', 'c'])
})

test('I3: when the shared commit fails, only transactions on disk succeed', async () => {
  const { add, words } = openWords()
  const told = await Promise.allSettled([add(['a']), add(['b'], 'nobody'), add(['c'])])
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(words()).toEqual(['a', 'c'])
})
