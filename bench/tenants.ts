import { overPostgres } from './fleet.ts'
import { measureNeighbours } from './neighbours.ts'
import { measureTenantGrowth, tenantSizesOf } from './tenant-growth.ts'
import type { Tenants } from './tenants-table.ts'

type Wish = { folder: string; quick: boolean; tenMillion: boolean; tell(line: string): void }

/** Many organizations in one PostgreSQL: what a call takes as it fills, and what one of them feels of another. */
export const measureTenants = ({ folder, quick, tenMillion, tell }: Wish): Promise<Tenants> =>
  overPostgres(async ({ url }, keep) => {
    const neighbours = await measureNeighbours({ folder, url, quick, keep })
    const growth = await measureTenantGrowth(url, tenantSizesOf({ quick, tenMillion }), tell)
    return { growth, neighbours }
  })
