import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

// The tests of the simulator over PostgreSQL in place of the embedded store: npm run test:postgres -- [what vitest takes]

const postgres = await startPostgres()
if (postgres === undefined) {
  console.error(
    'There is no PostgreSQL on this machine: install the package postgresql, or put initdb and pg_ctl on the path.',
  )
  process.exit(2)
}
try {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ASSAY_TEST_POSTGRES: postgres.url },
  })
  process.exitCode = status ?? 1
} finally {
  postgres.remove()
}
