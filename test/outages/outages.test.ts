import { expect, test } from 'vitest'
import { findPrograms } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sufferOutages } from './outages.ts'

// Skipped where there is no PostgreSQL: initdb and pg_ctl are neither in Debian's folder nor on the path.
test.skipIf(findPrograms() === undefined)(
  'I3, R4, 6, 8: a replica killed and PostgreSQL stopped under load lose nothing; npm run outages does it all',
  async () => {
    const seed = Number(process.env.ASSAY_LOT ?? 1)
    const report = await sufferOutages({ outages: ['kill', 'immediate'], seed, folder: temporaryFolder() })
    expect(report.problems).toEqual([])
    expect(report.outages).toMatchObject({ kill: 1, immediate: 1 })
    expect(report.replayed).toBe(report.calls)
    expect(report.refused).toBeGreaterThan(0)
  },
  120_000,
)
