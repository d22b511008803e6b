import { answerAs, type ServiceVersion } from '../../contracts/protocol/service-version.ts'
import type { AddressBook } from '../addresses.ts'
import type { createExecute } from '../operations/execute.ts'
import type { OperationCall } from '../operations/operation.ts'
import { Refusal } from '../refusal.ts'
import { type ApiContext, type Call, headerOf, respond } from './call.ts'
import { requireScope } from './layers/require-token.ts'
import { parseJson } from './parse-json.ts'
import type { Route } from './routes.ts'
import type { Validate } from './validate.ts'

type Parts = {
  execute: ReturnType<typeof createExecute>
  validate: () => Promise<Validate>
  addresses: AddressBook
  versions: readonly ServiceVersion[]
}

/** One call of the table of routes: scope, key, body, then the write path; its answer has the shape of its version (9). */
export const createHandler =
  ({ execute, validate, addresses, versions }: Parts) =>
  (route: Route) =>
  async (c: ApiContext): Promise<Response> => {
    const call = c.get('call')
    call.operation = route.operation
    requireScope(call, route.scope)
    const key = route.keyed ? idempotencyKey(call) : undefined
    const request =
      route.body === undefined ? await readAddress(c, route, validate) : await readBody(call, route.body, validate)
    const { organizationId = '', accountIds = [], capabilities = {} } = call.organization ?? {}
    const { pagesUrl } = addresses.forApiCall(organizationId, call.incoming.headers.host ?? '', isSecure(call))
    const executed = await execute(
      {
        organizationId,
        accountIds,
        capabilities,
        operation: route.operation,
        request,
        key,
        callId: call.callId,
        pagesUrl,
      } as OperationCall,
      route.registered,
      call.variety?.(),
    )
    call.replayed = executed.replayed
    if (executed.script) call.script = executed.script
    if (executed.refusal) call.refusal = executed.refusal
    if (executed.wire) call.wire = executed.wire
    if (executed.http >= 300) return respond(c, executed)
    return respond(c, { ...executed, body: answerAs(versions, call.version, route.operation, executed.body) })
  }

/** Whether the client's own connection is TLS, here or at a proxy in front: plain HTTP is no address of the API. */
const isSecure = ({ incoming, off }: Call): boolean => 'encrypted' in incoming.socket || !off.includes('certificate')

/** What a call without a body says in its address; a name that stands there twice is no text. */
const readAddress = async (c: ApiContext, { query }: Route, validate: () => Promise<Validate>): Promise<object> => {
  if (query === undefined) return c.req.param()
  const entries = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length > 1 ? values : values[0],
  ])
  const request = Object.fromEntries(entries)
  ;(await validate())(query, request)
  return request
}

const readBody = async (call: Call, schema: string, validate: () => Promise<Validate>): Promise<object> => {
  const request = parseJson(call.body, headerOf(call, 'content-type'))
  ;(await validate())(schema, request)
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
