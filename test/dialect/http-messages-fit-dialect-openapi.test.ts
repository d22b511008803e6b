import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CallParts } from '../../contracts/client/endpoint-call.ts'
import { type Exchange, responseJson } from '../../contracts/client/http-exchange.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { createResponseLens } from '../../contracts/dialect/response-lens.ts'
import { createRequestDialect } from '../../contracts/harness/profile/create-request-dialect.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { OPERATION_NAMES, type OperationName } from '../../contracts/operations.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'
import { createAjv } from '../../contracts/schema/create-schema-validator.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { blikRequest, chargeRequest, irisRequest, passthroughMock } from '../support/payment-requests.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = parse(readFileSync(join(ROOT, 'contracts/openapi.yaml'), 'utf8'))

type Schema = Record<string, unknown>
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: OperationName
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content; headers?: Schema }>
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Content }>; schemas: Schema }
}

/** Creates the judge of exchanges by a description: what does not fit it, one text for each. */
const createJudge = ({ paths, components }: Description) => {
  const ajv = createAjv({ allErrors: true, strictTypes: false })
  ajv.addVocabulary(['components', 'example'])
  ajv.addSchema({ $id: 'spoken', components: closed({ schemas: components.schemas }) })
  const operations = new Map(
    Object.values(paths)
      .flatMap(Object.values<Operation>)
      .map(one => [one.operationId, one]),
  )
  const compiled = new Map<Schema, ValidateFunction>()
  const faultsOf = (schema: Schema, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"spoken#/components')
    const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(text))
    compiled.set(schema, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  const ofRequest = ({ request }: Exchange, { parameters, requestBody }: Operation): string[] => {
    const query = new URL(request.url).searchParams
    const known = parameters.filter(one => one.in === 'query')
    const inQuery = known.flatMap(({ name, required, schema }) => {
      const text = query.get(name)
      if (text === null) return required ? [`lacks ${name}`] : []
      return faultsOf(schema, schema.type === 'integer' ? Number(text) : text)
    })
    const strange = [...query.keys()].filter(name => !known.some(one => one.name === name))
    const json = requestBody?.content['application/json']
    const body = json ? faultsOf(json.schema, JSON.parse(Buffer.from(request.body ?? []).toString())) : []
    return [...inQuery, ...strange.map(name => `has ${name}`), ...body]
  }
  const ofResponse = ({ response }: Exchange, { responses }: Operation): string[] => {
    const described = responses[String(response?.status)]
    if (!response || !described) return [`status ${response?.status} is not described`]
    const found = components.responses[described.$ref?.split('/').at(-1) ?? '']
    const { content = {} } = found ?? described
    const json = content['application/json']
    const named = Object.keys(described.headers ?? {}).map(name => name.toLowerCase())
    const absent = named.filter(name => !(name in response.headers) && name !== 'idempotency-replayed')
    return [
      ...absent.map(name => `lacks header ${name}`),
      ...(json ? faultsOf(json.schema, parsed(response.body)) : []),
    ]
  }
  const ofExchange = (exchange: Exchange): string[] => {
    const { endpoint } = exchange.request
    const operation = endpoint && operations.get(endpoint)
    if (!operation) return [`${exchange.request.url} is not described`]
    const isValid = (exchange.response?.status ?? 0) < 400
    const faults = [...(isValid ? ofRequest(exchange, operation) : []), ...ofResponse(exchange, operation)]
    return faults.map(fault => `${endpoint} ${exchange.response?.status}: ${fault}`)
  }
  const ofWebhook = (body: unknown) => faultsOf({ $ref: '#/components/schemas/Notification' }, body)
  return { ofExchange, ofWebhook }
}

/** Closes every object to members that the description does not name. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  return inner.type === 'object' && inner.properties ? { additionalProperties: false, ...inner } : inner
}

const parsed = (body: Buffer): unknown => (body.length === 0 ? undefined : JSON.parse(body.toString()))

/** Makes calls of every operation that a merchant has, some of them refused. */
const playPayments = async (merchant: Merchant, simulator: TestSimulator, read: (from: Exchange) => Schema) => {
  const control = organizationControl(simulator)
  const account = { processingAccountId: simulator.credentials.processingAccountIds[0] ?? '' }
  const ask = (operation: OperationName, parts: CallParts = {}) => merchant.request(operation, parts)
  const post = async (operation: OperationName, json: object) =>
    read(await ask(operation, { json: { ...json, ...account } }))
  const code = async () => String((await control.post('blik/codes')).body.code)
  const pay = async (request: object) => {
    const transactionId = String((await post('initiate', request)).transactionId)
    await control.post(`payments/${transactionId}/shopper`, { action: 'approve', keep: 'yes' })
    await post('finalize', { transactionId })
    return transactionId
  }
  const kept = await pay(blikRequest(await code(), { transactionType: 'RECURRING', autoCapture: false }))
  await post('capture', { ...action(kept), paymentDetails: { amount: 1000 } })
  await control.advance('P1D')
  await post('refund', { ...action(kept), paymentDetails: { amount: 400, description: 'As agreed' } })
  await post('charge', chargeRequest())
  await post('cancel', action(await pay(blikRequest(await code(), { autoCapture: false }))))
  await post('initiate', { ...irisRequest(), metadata: { basket_id: 'b-77' } })
  await post('initiate', { ...blikRequest('12'), paymentDetails: {} })
  await post('capture', action(kept))
  await post('mockSet', passthroughMock('OK', { oneTime: true }))
  await post('mockSet', MOCK)
  for (const operation of ['status', 'events'] as const) await ask(operation, { path: { transactionId: kept } })
  await ask('status', { path: { transactionId: '1234567890' } })
  await post('search', { clientTransactionId: 'order-1' })
  await post('providers', { country: 'PL' })
  await control.advance('P1D')
  const [from, to] = ['2020-01-01', '2020-01-20']
  await ask('reports', { query: { from, to }, scope: 'data:reports' })
  await ask('downloadReport', { query: { reportId: '0000513b-4c1f-8a60-8d2e-5b1f0c9d7e42' }, scope: 'data:reports' })
  await ask('keySet')
}

const action = (transactionId: string) => ({ clientTransactionId: 'act-1', transactionId })

/** A mock with every member of a step. */
const MOCK = {
  key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-9' },
  type: 'MOCK',
  scenario: 'OK',
  steps: {
    initiate: {
      status: 'PENDING',
      statusInfo: { reasonCode: '-1', message: 'As set' },
      providerDetails: { providerTransactionId: 'mocked-1', registeredAt: '2026-11-21T10:00:00.000Z' },
    },
    finalizeStep: { status: 'DECLINED', statusInfo: { reasonCode: '1001', message: 'Not enough money' } },
  },
}

const PROFILES = ['snake-case', 'bookkeeping', 'coarse-states'].map(name => `test/conformance/dialects/${name}.yaml`)

describe.each(['contracts/profiles/simulator.yaml', ...PROFILES])('messages in the dialect of %s', file => {
  test('fit the OpenAPI document of the dialect', { timeout: 60_000 }, async () => {
    const simulator = await startTestSimulator({ dialect: join(ROOT, file) })
    const profile = readProfile(join(ROOT, file), { baseUrl: simulator.apiUrl, kit: simulator.kitFolder })
    const exchanges: Exchange[] = []
    const webhooks: unknown[] = []
    const merchant = createMerchant(simulator.credentials, {
      ...profile,
      isKeySetProtected: profile.keySet?.protected === true,
      requestDialect: createRequestDialect(profile),
      onExchange: exchange => exchanges.push(exchange),
      now: () => simulator.controlPlane.now('demo-merchant'),
    })
    const lens = createResponseLens(profile)
    try {
      await playPayments(
        merchant,
        simulator,
        from => lens.read(from.request.endpoint ?? 'initiate', responseJson(from)) as Schema,
      )
      const { body } = await organizationControl(simulator).get('inbox')
      webhooks.push(...(body.messages as { body: string }[]).map(message => JSON.parse(message.body)))
    } finally {
      await merchant.close()
      await simulator.stop()
    }
    const judge = createJudge(dialectOpenApi(profile, OWN, meaningOfChoice) as Description)
    expect(exchanges.flatMap(judge.ofExchange)).toEqual([])
    expect(webhooks.length).toBeGreaterThan(5)
    expect(webhooks.flatMap(judge.ofWebhook)).toEqual([])
    const served = new Set(
      exchanges.filter(({ response }) => (response?.status ?? 500) < 300).map(one => one.request.endpoint),
    )
    expect(OPERATION_NAMES.filter(name => !served.has(name))).toEqual(['downloadReport'])
  })
})
