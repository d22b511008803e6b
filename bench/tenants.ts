import { ownPostgres } from './fleet.ts'
import { measureNeighbours } from './neighbours.ts'
import type { Server } from './servers.ts'
import { measureTenantGrowth, tenantSizesOf } from './tenant-growth.ts'
import type { Tenants } from './tenants-table.ts'

type Wish = { folder: string; quick: boolean; tenMillion: boolean; tell(line: string): void }

/** Many organizations in one PostgreSQL: what a call takes as it fills, and what one of them feels of another. */
export const measureTenants = async ({ folder, quick, tenMillion, tell }: Wish): Promise<Tenants> => {
  const postgres = await ownPostgres()
  const servers: Server[] = []
  const keep = <Some extends Server>(server: Some): Some => {
    servers.push(server)
    return server
  }
  try {
    const neighbours = await measureNeighbours({ folder, url: postgres.url, quick }, keep)
    const growth = await measureTenantGrowth(postgres.url, tenantSizesOf({ quick, tenMillion }), tell)
    return { growth, neighbours }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    postgres.remove()
  }
}
