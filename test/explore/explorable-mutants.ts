import { ASSORTED_MUTANTS } from '../conformance/mutants/assorted-mutants.ts'
import { BASIC_MUTANTS } from '../conformance/mutants/basic-mutants.ts'
import { CHARGE_MUTANTS } from '../conformance/mutants/charge-mutants.ts'
import { GRID_OPERATION_MUTANTS } from '../conformance/mutants/grid-mutants-besides-layers.ts'
import { IDEMPOTENCY_MUTANTS } from '../conformance/mutants/idempotency-mutants.ts'
import { LIFECYCLE_MUTANTS } from '../conformance/mutants/lifecycle-mutants.ts'
import { MOCK_MUTANTS } from '../conformance/mutants/mock-mutants.ts'
import type { Mutant } from '../conformance/mutants/mutant.ts'
import { TIME_MUTANTS } from '../conformance/mutants/time-mutants.ts'

/**
 * Sections of the checks that are about lifecycle, money, idempotency, mocks, isolation and windows; but for LIF-06, as
 * explore makes no call that the document lacks.
 */
const EXPLORED = /^(LIF-(?!06)|IDM|MCK|BLK|IRS|GRD-(?!49)|RDS-0[45]|RDS-1[34]|VAL-(10|11|24|3[789]|4[0145]))/

/** Mutants by which `explore` is measured: those of lifecycle, money, idempotency, mocks, isolation and time limits. */
export const EXPLORABLE_MUTANTS: readonly Mutant[] = [
  ...LIFECYCLE_MUTANTS,
  ...IDEMPOTENCY_MUTANTS,
  ...MOCK_MUTANTS,
  ...CHARGE_MUTANTS,
  ...[...BASIC_MUTANTS, ...ASSORTED_MUTANTS, ...TIME_MUTANTS, ...GRID_OPERATION_MUTANTS].filter(({ caughtBy }) =>
    caughtBy.every(id => EXPLORED.test(id)),
  ),
]
