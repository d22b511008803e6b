/** Test files that `npm run test:postgres` excludes, by glob of vitest, with the reason. */
// biome-ignore format: a table reads by its columns
const EXCLUSIONS: Readonly<Record<string, string>> = {
  'test/{protocol,architecture}/**':                       'use no store',
  'test/store/sqlite-store.test.ts':               'tests the SQLite store',
  'test/store/open-sqlite.test.ts':                'tests the SQLite store',
  'test/store/group-commit.test.ts':            'tests the SQLite store',
  'test/store/wal-checkpoint.test.ts':                 'tests the SQLite store',
  'test/store/sqlite-query-plans.test.ts':               'tests the SQLite store',
  'test/store/organization-tables.test.ts':                 'tests the SQLite store',
  'test/startup/start-errors.test.ts':       'damages the data folder',
  'test/store/full-disk.test.ts':              'limits the size of the database file',
  'test/store/moved-database-file.test.ts':         'moves the database file',
  'test/crash/**':                                 'reads the SQLite file after kill -9; test/outages covers PostgreSQL',
  'test/simulation/**':                             'simulates the disk under the SQLite store',
  'test/{store/postgres-*,replicas/*,outages/*}.test.ts':
                                                   'start PostgreSQL themselves, in every run',
  'test/bench/bench-command.test.ts':                    'starts servers of its own',
  'test/bench/soak.test.ts':                     'starts servers of its own',
  'test/packaging/{compiled-build,dockerfile}.test.ts':     'test packaging, whatever the store',
}

export const isOverPostgres = Boolean(process.env.ASSAY_TEST_POSTGRES)

export const excludedOverPostgres = (): readonly string[] => (isOverPostgres ? Object.keys(EXCLUSIONS) : [])

/** Lists the test files that a run over PostgreSQL leaves out, with their reasons, one line each. */
export const describeExclusions = (): string =>
  Object.entries(EXCLUSIONS)
    .map(([files, reason]) => `left out: ${files}: ${reason}`)
    .join('\n')
