import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres-server.ts'
import { describeExclusions } from './postgres-exclusions.ts'

// Runs the tests over PostgreSQL instead of the embedded store: npm run test:postgres -- [arguments of vitest]

const postgres = await startPostgres('-c fsync=off -c synchronous_commit=off -c full_page_writes=off')
if (postgres === undefined) {
  console.error(
    'There is no PostgreSQL on this machine: install the package postgresql, or put initdb and pg_ctl on the path.',
  )
  process.exit(2)
}
console.log(describeExclusions())
try {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run-checks.ts'), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, ASSAY_TEST_POSTGRES: postgres.url },
    },
  )
  process.exitCode = status ?? 1
} finally {
  postgres.remove()
}
