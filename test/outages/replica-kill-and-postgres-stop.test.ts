import { expect, test } from 'vitest'
import { findPostgresPrograms } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runOutages } from './outage-rounds.ts'

// Skipped where there is no PostgreSQL: initdb and pg_ctl are neither in Debian's folder nor on the path.
test.skipIf(findPostgresPrograms() === undefined)(
  'I3, R4, 6, 8: killing a replica and stopping PostgreSQL under load loses nothing acknowledged',
  async () => {
    const report = await runOutages({ outages: ['kill', 'immediate'], seed: 1, folder: temporaryFolder() })
    expect(report.problems).toEqual([])
    expect(report.outages).toMatchObject({ kill: 1, immediate: 1 })
    expect(report.replayed).toBe(report.calls)
    expect(report.refused).toBeGreaterThan(0)
  },
  120_000,
)
