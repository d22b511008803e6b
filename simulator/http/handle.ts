import type { AddressBook } from '../addresses.ts'
import type { createExecute, OperationCall } from '../operations/execute.ts'
import { Refusal } from '../refusal.ts'
import { type ApiContext, type Call, headerOf, respond } from './call.ts'
import { requireScope } from './layers/require-token.ts'
import type { Route } from './routes.ts'
import { parseJson, type Validate } from './validate.ts'

type Parts = { execute: ReturnType<typeof createExecute>; validate: Validate; addresses: AddressBook }

/** One call of the table of routes: scope, key, body, then the write path. */
export const createHandler =
  ({ execute, validate, addresses }: Parts) =>
  (route: Route) =>
  async (c: ApiContext): Promise<Response> => {
    const { call } = c.var
    call.operation = route.operation
    requireScope(call, route.scope)
    const key = route.keyed ? idempotencyKey(call) : undefined
    const request =
      route.body === undefined ? { transactionId: c.req.param('transactionId') } : readBody(call, route.body, validate)
    const { organizationId = '', accountIds = [] } = call.organization ?? {}
    const { pagesUrl } = addresses.forApiCall(organizationId, call.incoming.headers.host ?? '')
    const executed = await execute(
      {
        organizationId,
        accountIds,
        operation: route.operation,
        request,
        key,
        callId: call.callId,
        pagesUrl,
      } as OperationCall,
      route.registered,
    )
    call.replayed = executed.replayed
    if (executed.refusal) call.refusal = executed.refusal
    return respond(c, executed)
  }

const readBody = (call: Call, schema: string, validate: Validate): object => {
  const request = parseJson(call.body, headerOf(call, 'content-type'))
  validate(schema, request)
  return request
}

/** D-18: visible characters of ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** The key that every mutating call needs (I1, I2); any unique text will do. */
const idempotencyKey = (call: Call): string => {
  const key = headerOf(call, 'idempotency-key')
  if (key !== undefined && KEY.test(key)) return key
  const fault = key ? 'must be 1 to 255 visible characters' : 'is missing'
  throw new Refusal(
    'INVALID_INPUT',
    'validation',
    `Idempotency-Key ${fault}: send a fresh UUID with every operation (I1).`,
    {
      fields: { 'Idempotency-Key': fault },
    },
  )
}
