import { OPERATIONS, type OperationName, type Scope } from '../../contracts/operations.ts'
import { getPaymentEvents } from '../operations/get-payment-events.ts'
import { getPaymentStatus } from '../operations/get-payment-status.ts'
import { downloadReport, listReports } from '../operations/list-and-download-reports.ts'
import { listProviders } from '../operations/list-providers.ts'
import type { OperationDefinition } from '../operations/operation-types.ts'
import { PROVIDER_OPERATION_DEFINITIONS } from '../operations/operations-that-call-provider.ts'
import { searchPayments } from '../operations/search-payments.ts'
import { setMock } from '../operations/set-mock.ts'
import type { Config } from '../options/options.ts'

type RoutedOperation = Exclude<OperationName, 'token' | 'keySet'>

/** Definitions of the operations behind all layers, that is, of all but the token endpoint and the key set. */
const DEFINITIONS: Readonly<Record<RoutedOperation, OperationDefinition>> = {
  ...PROVIDER_OPERATION_DEFINITIONS,
  status: { on: 'payment', decide: getPaymentStatus },
  events: { on: 'payment', decide: getPaymentEvents, events: true },
  search: { on: 'payments', ...searchPayments },
  providers: { on: 'nothing', decide: listProviders },
  reports: { on: 'payments', ...listReports },
  downloadReport: { on: 'payments', ...downloadReport },
  mockSet: { on: 'nothing', decide: setMock },
}

/** A route of the API: a row of the table of operations, and the definition that serves it. */
export type Route = {
  operation: RoutedOperation
  scope: Scope
  keyed: boolean
  schema: string | undefined
  sandboxOnly?: true
  definition: OperationDefinition
}

/** Routes of the API (4) except the token endpoint and the key set. */
export const ROUTES: readonly Route[] = (Object.keys(DEFINITIONS) as RoutedOperation[]).map(operation => ({
  ...OPERATIONS[operation],
  operation,
  definition: DEFINITIONS[operation],
}))

/** Returns the API routes that an environment serves: production lacks the sandbox-only ones (1, 2.7). */
export const routesOfEnvironment = (
  environment: Config['environment'],
  routes: readonly Route[] = ROUTES,
): readonly Route[] => routes.filter(({ sandboxOnly }) => environment === 'sandbox' || !sandboxOnly)
