import { type CertifyFigures, certifyTable } from '../certify/measure-certify.ts'
import { type Growth, growthTable } from '../growth/growth-table.ts'
import { type OptionCostFigures, optionCostTable } from '../options/measure-processor-cost-of-options.ts'
import { type ReplicaFigures, replicasTable } from '../replicas/replicas-table.ts'
import { type SimulationFigures, simulationTable } from '../simulation/seeded-simulation-runs-table.ts'
import { soakTable } from '../soak/soak-table.ts'
import type { SoakResult } from '../soak/verdict.ts'
import { goalsTable } from '../speed/performance-goals.ts'
import type { SpeedFigures } from '../speed/speed-figures.ts'
import { speedTable } from '../speed/speed-table.ts'
import { type TenantFigures, tenantsTable } from '../tenants/tenants-table.ts'

/** The types of the benchmark figures, by section of docs/figures.md. */
export type Figures = {
  speed: SpeedFigures
  growth: Growth
  certify: CertifyFigures
  soak: SoakResult
  simulation: SimulationFigures
  replicas: ReplicaFigures
  tenants: TenantFigures
  dialects: OptionCostFigures
  telemetry: OptionCostFigures
}
export type Section = keyof Figures

/** Functions that format the benchmark figures of a section as text tables, by section. */
export const SECTION_TABLES: { [Name in Section]: (figures: Figures[Name]) => string } = {
  speed: speed => `${speedTable(speed)}\n\n${goalsTable(speed)}`,
  growth: growthTable,
  certify: certifyTable,
  soak: soakTable,
  simulation: simulationTable,
  replicas: replicasTable,
  tenants: tenantsTable,
  dialects: optionCostTable,
  telemetry: optionCostTable,
}
