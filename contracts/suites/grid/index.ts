import type { CheckScenario } from '../../harness/judge/check.ts'
import type { CheckContext } from '../context/check-context.ts'
import { automaticCaptureGrid } from './automatic-capture-grid.ts'
import { bodiesOfActsGrid } from './bodies-of-acts-grid.ts'
import { cancelGrid } from './cancels-of-each-kind.ts'
import { roleGrid } from './foreign-organization-grid.ts'
import { keyGrid } from './idempotency-key-grid.ts'
import { kindsOfPaymentGrid } from './kinds-of-payment-grid.ts'
import { lifecycleGrid } from './lifecycle-grid.ts'
import { nothingLeftBehindGrid } from './nothing-left-behind-grid.ts'
import { partsGrid } from './parts-of-each-kind.ts'
import { reportScopeGrid } from './reads-with-report-scope-grid.ts'
import { chargeGrid } from './refused-charge-grid.ts'
import { reportGrid } from './report-isolation-grid.ts'
import { layerGrid } from './security-layer-grid.ts'
import { sumGrid } from './sum-grid.ts'
import { twoActsAtOnceGrid } from './two-acts-at-once-grid.ts'
import { webhookGrid } from './webhook-grid.ts'

/**
 * Scenarios of all grids of checks: rules that hold for every operation, state, role, key and amount, one check for
 * each row.
 */
export const GRIDS: readonly CheckScenario<CheckContext>[] = [
  layerGrid,
  reportScopeGrid,
  lifecycleGrid,
  roleGrid,
  keyGrid,
  sumGrid,
  twoActsAtOnceGrid,
  kindsOfPaymentGrid,
  partsGrid,
  cancelGrid,
  chargeGrid,
  bodiesOfActsGrid,
  nothingLeftBehindGrid,
  automaticCaptureGrid,
  reportGrid,
  webhookGrid,
]
