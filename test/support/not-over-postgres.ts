/** Tests that `npm run test:postgres` leaves out, and why: patterns as vitest takes them. */
// biome-ignore format: a table reads by its columns
const LEFT_OUT: Readonly<Record<string, string>> = {
  'test/{protocol,tidy}/**':                       'nothing in them stands on a store',
  'test/store/{sqlite-store,open-sqlite,commit-together,write-back,search-plans,belongings}.test.ts':
                                                   'the file itself: its schema, its locks, its plans, its commits',
  'test/simulator/{trouble-at-start,full-disk,moved-database}.test.ts':
                                                   'a folder and a file that are damaged, full, gone or may not be written',
  'test/crash/**':                                 'reads the books of the file after kill -9; test/outages does so here',
  'test/{store/postgres-*,replicas/*,outages/*}.test.ts':
                                                   'start PostgreSQL themselves, in every run',
  'test/command/{bench,soak}.test.ts':             'measure servers of their own making',
  'test/container/{build,dockerfile}.test.ts':     'what is packed and how it starts, whatever it stands on',
}

export const isOverPostgres = Boolean(process.env.ASSAY_TEST_POSTGRES)

export const leftOutOverPostgres = (): readonly string[] => (isOverPostgres ? Object.keys(LEFT_OUT) : [])

/** One line each. */
export const toldLeftOut = (): string =>
  Object.entries(LEFT_OUT)
    .map(([files, reason]) => `left out: ${files}: ${reason}`)
    .join('\n')
