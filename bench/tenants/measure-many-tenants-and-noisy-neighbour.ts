import { totalmem } from 'node:os'
import { measureOverPostgres } from '../load/run-with-postgres.ts'
import { measureNoisyNeighbour } from './measure-noisy-neighbour.ts'
import { measurePaymentGrowth, paymentCounts } from './measure-payment-growth.ts'
import type { TenantFigures } from './tenants-table.ts'

type TenantMeasurementOptions = { folder: string; quick: boolean; tenMillion: boolean; tell(line: string): void }

/** Memory that PostgreSQL advises to give to a server of its own. */
const QUARTER_OF_MEMORY_MB = Math.round(totalmem() / 4 / 2 ** 20)

/** Measures many organizations in one PostgreSQL: calls as it grows, and a quiet organization beside a noisy one. */
export const measureTenants = ({ folder, quick, tenMillion, tell }: TenantMeasurementOptions): Promise<TenantFigures> =>
  measureOverPostgres(async ({ url }, keep) => {
    const neighbours = await measureNoisyNeighbour({ folder, url, quick, keep })
    const growth = await measurePaymentGrowth(url, paymentCounts({ quick, tenMillion }), tell)
    return { growth, neighbours }
  }, `-c shared_buffers=${QUARTER_OF_MEMORY_MB}MB`)
