import { type CertifyFigures, certifyTable } from './certify.ts'
import { goalsTable } from './goals.ts'
import { type Growth, growthTable } from './growth-table.ts'
import { type Replicas, replicasTable } from './replicas-table.ts'
import { soakTable } from './soak/table.ts'
import type { Soak } from './soak/verdict.ts'
import type { Speed } from './speed-figures.ts'
import { speedTable } from './speed-table.ts'
import { type Tenants, tenantsTable } from './tenants-table.ts'

/** What can be measured, and the shape of its figures. */
export type Figures = {
  speed: Speed
  growth: Growth
  certify: CertifyFigures
  soak: Soak
  replicas: Replicas
  tenants: Tenants
}
export type Section = keyof Figures

/** The figures of each section as tables for people. */
export const TABLES: { [Name in Section]: (figures: Figures[Name]) => string } = {
  speed: speed => `${speedTable(speed)}\n\n${goalsTable(speed)}`,
  growth: growthTable,
  certify: certifyTable,
  soak: soakTable,
  replicas: replicasTable,
  tenants: tenantsTable,
}
