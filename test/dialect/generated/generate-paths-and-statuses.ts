import fc from 'fast-check'
import { OPERATION_NAMES, OPERATIONS, type OperationName, type OperationPaths } from '../../../contracts/operations.ts'

/**
 * fast-check arbitrary of `paths` of a generated dialect under a common prefix, some with words of their own; those of a payment
 * contain its id.
 */
export const generatePaths: fc.Arbitrary<OperationPaths> = fc
  .record({
    prefix: fc.constantFrom('', '/payments-api/v2', '/x~y'),
    renamed: fc.subarray([...OPERATION_NAMES]),
    search: fc.constantFrom('', 'GET /orders?ref={clientTransactionId}', 'GET /orders/{clientTransactionId}'),
    providers: fc.constantFrom('', 'GET /methods'),
  })
  .map(({ prefix, renamed, ...asked }) => {
    const lines = OPERATION_NAMES.map(name => {
      const query = (asked as Readonly<Partial<Record<OperationName, string>>>)[name]
      const path = renamed.includes(name) ? ownPath(name) : OPERATIONS[name].path
      return [name, query ? query.replace(' ', ` ${prefix}`) : `${prefix}${path}`] as const
    })
    return Object.fromEntries(lines)
  })

const ownPath = (name: OperationName): string =>
  OPERATIONS[name].path.includes('{') ? `/orders/{transactionId}/on-${name}` : `/on-${name}`

/** fast-check arbitrary of statuses of success of some operations in a generated dialect. */
export const generateSuccess: fc.Arbitrary<Record<string, readonly number[]>> = fc
  .subarray(OPERATION_NAMES.filter(name => OPERATIONS[name].method === 'POST' && name !== 'token'))
  .chain(names =>
    fc.tuple(...names.map(name => fc.constantFrom(200, 201, 202).map(status => [name, [status]] as const))),
  )
  .map(entries => Object.fromEntries(entries))
