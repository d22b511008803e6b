import type { CheckScenario } from '../../harness/judge/check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { automaticCaptureGrid } from './automatic-capture.ts'
import { chargeGrid } from './charges.ts'
import { keyGrid } from './keys.ts'
import { layerGrid } from './layers.ts'
import { lifecycleGrid } from './lifecycle.ts'
import { reportScopeGrid } from './report-scope.ts'
import { reportGrid } from './reports.ts'
import { roleGrid } from './roles.ts'
import { sumGrid } from './sums.ts'

/** Grids: rules that hold for every operation, state, role, key and amount, with one check for each row. */
export const GRIDS: readonly CheckScenario<CheckContext>[] = [
  layerGrid,
  reportScopeGrid,
  lifecycleGrid,
  roleGrid,
  keyGrid,
  sumGrid,
  chargeGrid,
  automaticCaptureGrid,
  reportGrid,
]
