import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { type OperationName, PROVIDER_OPERATIONS, startsPayment } from '../../contracts/operations.ts'
import { isJsonObject, type JsonObject } from '../../contracts/protocol/canonical-json.ts'

type Adapt = (request: JsonObject, accountIds: readonly string[]) => object

const asSent: Adapt = request => request

/** Adapts a request, before it is validated, to what a dialect's decisions make optional or let the API ignore. */
export const adaptRequest = (
  operation: OperationName,
  request: object,
  { accountIds, choices, lines }: { accountIds: readonly string[]; choices: DecisionChoices; lines: DialectLines },
): object => {
  if (operation === 'capture' && (choices['D-47'] === 'optional' || isAmountElsewhere(lines)))
    return { paymentDetails: {}, ...request }
  if (operation === 'mockSet') return MOCKS[choices['D-80']](request as JsonObject, accountIds)
  return startsPayment(operation) ? PAYMENTS[choices['D-44']](request as JsonObject, accountIds) : request
}

/** Whether the amount of a capture has a place of its own, so that there is no `paymentDetails` to send. */
const isAmountElsewhere = ({ requests }: DialectLines): boolean => {
  const pointers = { ...requests?.all, ...requests?.capture }
  return 'paymentDetails.amount' in pointers && !('paymentDetails' in pointers)
}

/** Members that a new payment may lack: the account is then the first, the description the reference. */
const PAYMENTS = {
  required: asSent,
  'optional-account': (request, [processingAccountId]) => ({ processingAccountId, ...request }),
  'optional-description': ({ paymentDetails, ...request }) =>
    isJsonObject(paymentDetails)
      ? { ...request, paymentDetails: { description: request.clientTransactionId, ...paymentDetails } }
      : { ...request, paymentDetails },
} as const satisfies Readonly<Record<string, Adapt>>

const STEPS: readonly string[] = PROVIDER_OPERATIONS.flatMap(name => [name, `${name}Step`])

const withoutForbidden: Adapt = ({ steps, data, ...request }) => {
  if (request.type === 'PASSTHROUGH') return request
  const known = isJsonObject(steps)
    ? Object.fromEntries(Object.entries(steps).filter(([name]) => STEPS.includes(name)))
    : steps
  return { ...request, ...(steps === undefined ? {} : { steps: known }), ...(data === undefined ? {} : { data }) }
}

/** What becomes of steps that a mock does not know, and of the responses that PASSTHROUGH forbids. */
const MOCKS = { refused: asSent, ignored: withoutForbidden } as const satisfies Readonly<Record<string, Adapt>>
