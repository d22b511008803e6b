import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { commitTogether } from '../../simulator/store/sqlite/commit-together.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A table whose word is unique at once, and whose parent only when a transaction ends. */
const openWords = () => {
  const database = new Database(`${temporaryFolder()}/words.db`)
  onTestFinished(() => void database.close())
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = ON')
  database.exec(`
    CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE words (word TEXT UNIQUE, parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`)
  const insert = database.prepare('INSERT INTO words VALUES (?, ?)')
  const { perform } = commitTogether(database)
  const words = () => database.prepare('SELECT word FROM words ORDER BY rowid').pluck().all()
  const decided: string[] = []
  return {
    words,
    /** What was decided about, in order: what is decided twice would spend its chances and its clock twice. */
    decided,
    /** Saves each word in a row of its own; its result is what was there before. */
    add: (saved: readonly string[], parent: string | null = null) =>
      perform(() => {
        decided.push(...saved)
        return { result: words(), save: () => saved.forEach(word => void insert.run(word, parent)) }
      }),
    refuse: (reason: string) =>
      perform(() => {
        throw new Error(reason)
      }),
    /** Pages that were written, once for each commit that touched them. */
    pagesWritten: () => (database.pragma('wal_checkpoint(PASSIVE)') as { log: number }[])[0]?.log,
  }
}

test('D-112: what comes together is written once, and each sees those before it', async () => {
  const [together, apart] = [openWords(), openWords()]
  const seen = await Promise.all(['a', 'b', 'c'].map(word => together.add([word])))
  for (const word of ['a', 'b', 'c']) await apart.add([word])
  expect(seen).toEqual([[], ['a'], ['a', 'b']])
  expect(together.pagesWritten()).toBeLessThan(Number(apart.pagesWritten()))
})

test('I3: one that cannot be saved leaves nothing behind and takes no other with it', async () => {
  const { add, refuse, words, decided } = openWords()
  const told = await Promise.allSettled([add(['a']), add(['b', 'a']), refuse('not allowed'), add(['c'])])
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(decided).toEqual(['a', 'b', 'a', 'c'])
  expect(told[2]).toMatchObject({ reason: { message: 'not allowed' } })
  expect(words()).toEqual(['a', 'c'])
})

test('I3: where the commit itself fails, only those are told of success that are on disk', async () => {
  const { add, words } = openWords()
  const told = await Promise.allSettled([add(['a']), add(['b'], 'nobody'), add(['c'])])
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(words()).toEqual(['a', 'c'])
})
