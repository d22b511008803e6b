import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName, operationAddress } from '../../contracts/operations.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'
import { linesOf } from './lines-of-test-dialects.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = parse(readFileSync(join(ROOT, 'contracts/openapi.yaml'), 'utf8'))

const lintErrors = async (description: object): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'info-license': 'off', // the operator's to choose
      'no-ambiguous-paths': 'off', // OpenAPI lets a path without parameters win
    },
  })
  const problems = await lintFromString({ source: stringify(description, { aliasDuplicateObjects: false }), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

describe.each(['', 'every-line', 'snake-case', 'bookkeeping', 'coarse-states'])(
  'the OpenAPI document of the dialect "%s"',
  name => {
    const lines = linesOf(name)
    const description = dialectOpenApi(lines, OWN, meaningOfChoice)

    test('is valid, with its examples', async () => {
      expect(await lintErrors(description)).toEqual([])
    })

    test('has every operation under the address of the dialect', () => {
      const paths = description.paths as Record<string, Record<string, { operationId: string }>>
      for (const operation of OPERATION_NAMES) {
        const { method, path } = operationAddress(operation, lines.paths)
        expect(paths[path.split('?')[0] ?? '']?.[method.toLowerCase()]?.operationId).toBe(operation)
      }
    })
  },
)

test('the description tells each unusual choice, and the address the base path', () => {
  const lines = { basePath: '/gateway/api', decisions: { 'D-46': 'ignored' } } as const
  const { info, servers } = dialectOpenApi(lines, OWN, meaningOfChoice) as {
    info: { description: string }
    servers: { url: string }[]
  }
  expect(info.description).toContain('- D-46: an unknown field is ignored.')
  expect(info.description).not.toContain('- D-47')
  expect(servers.map(({ url }) => url)).toEqual(['https://{address}/gateway/api'])
})

test('what a profile says otherwise stands where a merchant looks for it', () => {
  const { paths, components } = dialectOpenApi(linesOf('every-line'), OWN, meaningOfChoice) as {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a description by name
    paths: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
    components: any
  }
  const { InitiateRequest, CaptureRequest, InitiateResponse, FinalizeRequest, MockRequest, Refusal } =
    components.schemas
  const { amount } = InitiateRequest.properties.payment_details.properties
  expect(amount).toMatchObject({ type: 'string', pattern: '^[0-9]+(\\.[0-9]{1,2})?$' })
  expect(InitiateRequest.required).toContain('payment_details')
  expect(CaptureRequest.properties.unit).toEqual({ const: 'PLN' })
  expect(CaptureRequest.required).toEqual(expect.arrayContaining(['unit']))
  expect(FinalizeRequest.properties).not.toHaveProperty('processing_account_id')
  expect(InitiateResponse.properties.data.properties.provider_details.properties.expires_at).toMatchObject({
    type: 'integer',
    minimum: 0,
    description: 'UNIX time in seconds.',
  })
  expect(MockRequest.properties.steps.properties.capture.properties.scenario).toMatchObject({
    enum: ['BROKEN', 'BUSY'],
  })
  expect(Refusal.properties.errors).toMatchObject({
    type: 'array',
    minItems: 1,
    items: { required: expect.arrayContaining(['reason']) },
  })
  expect(Object.keys(paths['/payments/initiate'].post.responses['200'].headers)).toContain('X-Sig')
  expect(paths['/payments/refund'].post.responses['422'].content['application/json'].schema).toEqual({
    anyOf: [{ $ref: '#/components/schemas/RefundResponse' }, { $ref: '#/components/schemas/Refusal' }],
  })
  expect(paths['/.well-known/jwks.json'].get.security).toEqual([{ certificate: [], token: ['payments:read'] }])
  expect(paths['/find/{clientTransactionId}'].get.parameters).toContainEqual(
    expect.objectContaining({ name: 'clientTransactionId', in: 'path', required: true }),
  )
})

const openApiWith = (lines: DialectLines) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a description by name
  dialectOpenApi(lines, OWN, meaningOfChoice) as any

/** Statuses of the responses of operations where the decisions are chosen so. */
const statusesWith = (decisions: Partial<DecisionChoices>, operation: OperationName): string[] => {
  const { path } = OPERATIONS[operation]
  return Object.keys(Object.values<{ responses: object }>(openApiWith({ decisions }).paths[path])[0]?.responses ?? {})
}

describe('7.1: the statuses of refusals are those that the deployment has', () => {
  // biome-ignore format: a table reads by its columns
  test.each<[Partial<DecisionChoices>, OperationName, string[], string[]]>([
    [{ 'D-09': '422' },                'capture',   ['422'],        ['501']],
    [{ 'D-16': '415' },                'search',    ['415', '400'], []],
    [{ 'D-16': '415' },                'status',    ['404'],        ['415']],
    [{ 'D-18': '428' },                'refund',    ['428', '400'], []],
    [{ 'D-18': '428' },                'search',    ['400'],        ['428']],
    [{ 'D-14': '405' },                'status',    ['404'],        ['405']],
    [{ 'D-54': '404' },                'initiate',  ['404', '403'], []],
    [{ 'D-63': '404' },                'charge',    ['404'],        []],
    [{ 'D-82': '502' },                'initiate',  ['404', '502'], []],
    [{ 'D-82': '409' },                'initiate',  ['404', '409', '502'], []],
    [{},                               'initiate',  ['501'],        ['404', '402', '415', '428']],
    [{ 'D-07': '402' },                'initiate',  ['402'],        []],
  ])('%j: %s has %j and not %j', (decisions, operation, has, lacks) => {
    const statuses = statusesWith(decisions, operation)
    expect(statuses).toEqual(expect.arrayContaining(has))
    expect(lacks.filter(status => statuses.includes(status))).toEqual([])
  })

  test('a member that a new payment may lack is not required (D-44)', () => {
    const required = (value: DecisionChoices['D-44']) =>
      openApiWith({ decisions: { 'D-44': value } }).components.schemas
    expect(required('required').InitiateRequest.required).toContain('processingAccountId')
    for (const name of ['InitiateRequest', 'ChargeRequest']) {
      expect(required('optional-account')[name].required).not.toContain('processingAccountId')
      const { paymentDetails } = required('optional-description')[name].properties
      expect(paymentDetails.required).not.toContain('description')
    }
  })

  test('a capture need not have paymentDetails, and a returnUrl be no address, where a choice says so (D-47, D-110)', () => {
    const usual = openApiWith({}).components.schemas
    expect(usual.CaptureRequest.required).toContain('paymentDetails')
    expect(usual.InitiateRequest.properties.returnUrl).toHaveProperty('pattern')
    const chosen = openApiWith({ decisions: { 'D-47': 'optional', 'D-110': 'any-text' } }).components.schemas
    expect(chosen.CaptureRequest.required).not.toContain('paymentDetails')
    expect(chosen.InitiateRequest.properties.returnUrl).not.toHaveProperty('pattern')
  })

  test('an example has the code that was chosen (D-10)', () => {
    const { NotFound } = openApiWith({ decisions: { 'D-10': '5000' } }).components.responses
    expect(NotFound.content['application/json'].example.statusInfo.reasonCode).toBe('5000')
  })
})

describe('6: the webhook of a dialect', () => {
  const { webhooks, components } = openApiWith(linesOf('bookkeeping'))
  const { post } = webhooks.notification

  test('has the members and words of the dialect, in its examples too', () => {
    expect(components.schemas.Notification.properties.data.properties).toHaveProperty('payment')
    const { captured } = post.requestBody.content['application/json'].examples
    expect(captured.value.data).toMatchObject({ result: 'done', lifecycle: { mark: 'S30' } })
  })

  test('names the headers that sign it', () => {
    const names = (lines: DialectLines): string[] => {
      const { webhooks: sent, components: known } = openApiWith(lines)
      return sent.notification.post.parameters.map(
        ({ $ref }: { $ref: string }) => known.parameters[$ref.split('/').at(-1) ?? ''].name,
      )
    }
    expect(names(linesOf('bookkeeping'))).toContain('X-Answer-Signature')
    expect(names({ webhooks: { signature: 'hmac' } })).not.toContain('Signature')
    expect(names({ webhooks: { signature: 'rfc9421' } })).not.toContain('webhook-signature')
  })
})
