import { FURTHER_STATES_MUTANTS } from './further-states-mutants.ts'
import { GRID_LAYER_MUTANTS } from './grid-layer-mutants.ts'
import { GRID_OPERATION_MUTANTS } from './grid-mutants-besides-layers.ts'
import { KINDS_OF_PAYMENT_MUTANTS } from './kinds-of-payment-mutants.ts'
import type { Mutant } from './mutant.ts'
import { WEBHOOK_GRID_MUTANTS } from './webhook-mutants.ts'

/** Mutants of the grids, one for each cell: written from the rule of the row, and tried against the grids alone. */
export const GRID_MUTANTS: readonly Mutant[] = [
  ...GRID_LAYER_MUTANTS,
  ...GRID_OPERATION_MUTANTS,
  ...WEBHOOK_GRID_MUTANTS,
  ...KINDS_OF_PAYMENT_MUTANTS,
  ...FURTHER_STATES_MUTANTS,
]
