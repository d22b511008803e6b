import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { Scope } from '../../contracts/operations.ts'
import { type ServiceVersion, toVersionedResponse } from '../../contracts/protocol/api-versioning.ts'
import type { BaseUrlResolver } from '../installation/base-url-resolver.ts'
import type { createExecute } from '../operations/execute-call.ts'
import type { OperationCall } from '../operations/operation-types.ts'
import type { Config } from '../options/options.ts'
import { Refusal } from '../support/refusal.ts'
import { validTraceparent } from '../support/trace-context.ts'
import { adaptRequest } from './adapt-request-to-dialect-decisions.ts'
import { type ApiCall, type ApiContext, type IdentifiedCall, readHeader, respond } from './api-call.ts'
import { readSpokenRequest, type SpokenTarget } from './dialect-request-and-reply-translation.ts'
import { requireScope } from './layers/require-token.ts'
import type { RequestValidator } from './request-validator.ts'
import type { Route } from './routes.ts'
import { validateRequest } from './validate-request.ts'

type Parts = {
  execute: ReturnType<typeof createExecute>
  loadValidator: () => Promise<RequestValidator>
  baseUrls: BaseUrlResolver
  config: Pick<Config, 'unknownMembers'>
  versions: readonly ServiceVersion[]
}

/**
 * Creates the function that makes the handler of an API route: check scope, key and request, execute, convert the body
 * to its version (9).
 */
export const createOperationHandler =
  ({ execute, loadValidator, baseUrls, config: { unknownMembers }, versions }: Parts) =>
  (route: Route) =>
  async (c: ApiContext, call: IdentifiedCall, target: SpokenTarget): Promise<Response> => {
    call.operation = route.operation
    requireScope(call, scopeOf(route, call.dialect.choices))
    const key = route.keyed ? idempotencyKey(call) : undefined
    const { organizationId, accountIds, capabilities } = call.organization
    const { choices, lines } = call.dialect
    const sent = readSpokenRequest(call, route, target)
    if (call.dialect.lenses) call.documentRequest = sent
    const request = adaptRequest(route.operation, sent, { accountIds, choices, lines })
    validateRequest(call, { route, request, target }, { validator: await loadValidator(), unknownMembers })
    const { headers, socket } = call.incoming
    const address = { host: headers.host ?? '', port: socket.localPort, isSecure: isSecure(call) }
    const { pagesUrl } = baseUrls.forApiCall(organizationId, address)
    const executed = await execute(
      {
        organizationId,
        accountIds,
        capabilities,
        operation: route.operation,
        request,
        key,
        callId: call.callId,
        traceparent: validTraceparent(headers.traceparent),
        pagesUrl,
      } as OperationCall,
      route.definition,
      call.variety?.(),
    )
    call.replayed = executed.replayed
    if (executed.script) call.script = executed.script
    if (executed.refusal) call.refusal = executed.refusal
    if (executed.wire) call.wire = executed.wire
    if (executed.http >= 300) return respond(c, executed)
    return respond(c, {
      ...executed,
      body: toVersionedResponse(versions, call.version, route.operation, executed.body),
    })
  }

/** Scope that a route requires: the list of providers may require the one to pay (D-56). */
const scopeOf = ({ operation, scope }: Route, choices: DecisionChoices): Scope =>
  operation === 'providers' && choices['D-56'] === 'process-for-providers' ? 'payments:process' : scope

/** Whether the client's connection is TLS, here or at a proxy; on plain HTTP the Host header is no API address. */
const isSecure = ({ incoming, disabledLayers: off }: ApiCall): boolean =>
  'encrypted' in incoming.socket || !off.includes('certificate')

/** Idempotency key: 1 to 255 visible ASCII characters (D-18). */
const KEY = /^[\x21-\x7e]{1,255}$/

/** Reads the Idempotency-Key that every mutating call requires (I1, I2); refuses a missing or malformed one. */
const idempotencyKey = (call: ApiCall): string => {
  const key = readHeader(call, 'idempotency-key')
  const isTwice = (call.incoming.headersDistinct['idempotency-key']?.length ?? 0) > 1
  if (key !== undefined && KEY.test(key) && !isTwice) return key
  const malformed = isTwice ? 'is sent more than once' : 'must be 1 to 255 visible characters'
  const fault = key ? malformed : 'is missing'
  throw new Refusal(
    key ? 'INVALID_INPUT' : 'KEY_MISSING',
    'validation',
    `Idempotency-Key ${fault}: send a fresh UUID with every operation (I1).`,
    {
      fields: { 'Idempotency-Key': fault },
    },
  )
}
