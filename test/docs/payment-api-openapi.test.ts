import { readFile } from 'node:fs/promises'
import { createConfig, lint } from '@redocly/openapi-core'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

type Content = Record<
  string,
  { schema: { $ref: string }; example?: unknown; examples?: Record<string, { $ref: string }> }
>
type Response = { $ref: string } | { content?: Content }
type Operation = {
  operationId: string
  security?: Record<string, string[]>[]
  parameters?: { $ref?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    examples: Record<string, { value: unknown }>
    responses: Record<string, { content: Content }>
  }
}

const file = new URL('../../contracts/openapi.yaml', import.meta.url)
const description: Description = parse(await readFile(file, 'utf8'))
const { components } = description
const operations = Object.values(description.paths).flatMap(path => Object.values(path))

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)
ajv.addVocabulary(['components'])
ajv.addSchema({ $id: 'openapi', components: { schemas: components.schemas } })

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref
const validatorOf = (schema: string) => ajv.compile({ $ref: `openapi#/components/schemas/${schema}` })

/** Dotted path of what is wrong, as `fields` of a refusal names it. */
const fieldOf = ({ instancePath, params }: ErrorObject): string =>
  [...instancePath.split('/').slice(1), ...(params.missingProperty ? [params.missingProperty] : [])].join('.')

const faultsOf = (schema: string, value: unknown): string[] => {
  const validate = validatorOf(schema)
  validate(value)
  const faults = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(fieldOf)
  return [...new Set(faults)]
}

const contentOf = (response: Response): Content =>
  '$ref' in response ? (components.responses[nameOf(response.$ref)]?.content ?? {}) : (response.content ?? {})

/** Every example that the description shows, once for each schema it belongs to. */
const examples = [
  ...new Map(
    operations
      .flatMap(({ requestBody, responses }) => [requestBody?.content ?? {}, ...Object.values(responses).map(contentOf)])
      .flatMap(content => Object.values(content))
      .flatMap(({ schema, example, examples = {} }) => {
        const named = Object.values(examples).map(({ $ref }) => components.examples[nameOf($ref)]?.value)
        const values = example === undefined ? named : [example, ...named]
        return values.map(value => ({ schema: nameOf(schema.$ref), value }))
      })
      .map(shown => [JSON.stringify(shown), shown]),
  ).values(),
]

describe('the API description', () => {
  test('has no lint errors', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // The licence is the repository owner's to choose; a description must not claim one.
      rules: { 'info-license': 'off' },
    })
    const problems = await lint({ ref: file.pathname, config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  })

  test('the generated types are up to date', async () => {
    const fresh = COMMENT_HEADER + astToString(await openapiTS(file))
    const stored = await readFile(new URL('../../contracts/openapi.gen.ts', import.meta.url), 'utf8')
    expect(stored === fresh, 'contracts/openapi.gen.ts is stale: run `npm run update`').toBe(true)
  })

  test.each(Object.keys(components.schemas))('%s compiles in strict mode', schema => {
    expect(validatorOf(schema)).toBeTypeOf('function')
  })

  test('every request and response has an example', () => {
    const shown = new Set(examples.map(({ schema }) => schema))
    const spoken = Object.keys(components.schemas).filter(name => /(Request|Answer|KeySet|Refusal)$/.test(name))
    expect(spoken.filter(name => name !== 'ActionRequest' && !shown.has(name))).toEqual([])
  })

  test.each(examples)('an example of $schema is valid', ({ schema, value }) => {
    expect(faultsOf(schema, value)).toEqual([])
  })

  test('the calls that require an Idempotency-Key each list 409 (I4)', () => {
    const keyed = operations.filter(({ parameters }) =>
      parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
    )
    expect(keyed.length).toBeGreaterThan(0)
    for (const { responses } of keyed) expect(responses).toHaveProperty('409')
  })
})

type Json = { [name: string]: Json | string | number | boolean | undefined }

/** The example with some members replaced; `undefined` takes one away. */
const changed = (example: string, change: Json): unknown => merge(components.examples[example]?.value as Json, change)

const merge = (value: Json, change: Json): Json => {
  const merged = { ...value }
  for (const [name, to] of Object.entries(change)) {
    const from = merged[name]
    if (to === undefined) delete merged[name]
    else merged[name] = typeof to === 'object' && typeof from === 'object' ? merge(from, to) : to
  }
  return merged
}

const tooLong = 'x'.repeat(256)

// biome-ignore format: a table reads by its columns
const REFUSED: [schema: string, example: string, change: Json, fields: string[]][] = [
  ['InitiateRequest', 'InitiateBlik', { processingAccountId: undefined },                        ['processingAccountId']],
  ['InitiateRequest', 'InitiateBlik', { clientTransactionId: undefined },                        ['clientTransactionId']],
  ['InitiateRequest', 'InitiateBlik', { clientTransactionId: tooLong },                          ['clientTransactionId']],
  ['InitiateRequest', 'InitiateBlik', { transactionType: undefined },                            ['transactionType']],
  ['InitiateRequest', 'InitiateBlik', { transactionType: 'TWICE' },                              ['transactionType']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: undefined },                             ['paymentDetails']],
  ['InitiateRequest', 'InitiateBlik', { providerDetails: undefined },                            ['providerDetails']],
  ['InitiateRequest', 'InitiateBlik', { providerDetails: { providerId: undefined } },            ['providerDetails.providerId']],
  ['InitiateRequest', 'InitiateBlik', { providerDetails: { providerId: 'COWRIE' } },             ['providerDetails.providerId']],
  ['InitiateRequest', 'InitiateBlik', { payerDetails: undefined },                               ['payerDetails']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: undefined } },                 ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: 0 } },                         ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: -1 } },                        ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: 10.5 } },                      ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: '4999' } },                    ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { amount: 100_000_000_000 } },           ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { autoCapture: 'no' } },                 ['paymentDetails.autoCapture']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { currency: 'EUR' } },                   ['paymentDetails.currency']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { country: 'GR' } },                     ['paymentDetails.country']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { country: 'pl' } },                     ['paymentDetails.country']],
  ['InitiateRequest', 'InitiateBlik', { paymentDetails: { description: undefined } },            ['paymentDetails.description']],
  ['InitiateRequest', 'InitiateBlik', { payerDetails: { oneTimeCode: undefined } },              ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateBlik', { payerDetails: { oneTimeCode: '12345' } },                ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateBlik', { payerDetails: { oneTimeCode: '1234567' } },              ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateBlik', { payerDetails: { oneTimeCode: '12a456' } },               ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateBlik', { requestContext: { channel: 'FAX' } },                    ['requestContext.channel']],
  ['InitiateRequest', 'InitiateBlik', { metadata: { tries: 3 } },                                ['metadata.tries']],
  ['InitiateRequest', 'InitiateIris', { returnUrl: undefined },                                  ['returnUrl']],
  ['InitiateRequest', 'InitiateIris', { returnUrl: 'back to the shop' },                         ['returnUrl']],
  ['InitiateRequest', 'InitiateIris', { returnUrl: 'javascript:alert(1)' },                      ['returnUrl']],
  ['InitiateRequest', 'InitiateIris', { returnUrl: 'file:///etc/hosts' },                         ['returnUrl']],
  ['InitiateRequest', 'InitiateIris', { payerDetails: { phone: { countryCode: '+48', number: '12345' } } },         ['payerDetails.phone.number']],
  ['InitiateRequest', 'InitiateIris', { payerDetails: { phone: { countryCode: '+48', number: '12345678901' } } },   ['payerDetails.phone.number']],
  ['InitiateRequest', 'InitiateIris', { payerDetails: { phone: { countryCode: '+48123', number: '1234567890' } } }, ['payerDetails.phone.countryCode']],
  ['InitiateRequest', 'InitiateIris', { payerDetails: { payerId: undefined } },                  ['payerDetails.payerId']],
  ['InitiateRequest', 'InitiateIris', { payerDetails: { phone: { number: undefined } } },        ['payerDetails.phone.number']],
  ['InitiateRequest', 'InitiateIris', { paymentDetails: { currency: 'PLN', country: 'PL' } },    ['paymentDetails.country', 'paymentDetails.currency']],
  ['InitiateRequest', 'InitiateRecurring', { payerDetails: { oneTimeCode: undefined } },         ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateRecurring', { payerDetails: { payerId: undefined } },             ['payerDetails.payerId']],
  ['InitiateRequest', 'InitiateRecurring', { paymentDetails: { amount: undefined } },            ['paymentDetails.amount']],
  ['InitiateRequest', 'InitiateTokenOnly', { payerDetails: { oneTimeCode: undefined } },         ['payerDetails.oneTimeCode']],
  ['InitiateRequest', 'InitiateTokenOnly', { payerDetails: { payerId: undefined } },             ['payerDetails.payerId']],
  ['ChargeRequest',   'ChargePayer',  { processingAccountId: undefined },                        ['processingAccountId']],
  ['ChargeRequest',   'ChargePayer',  { clientTransactionId: undefined },                        ['clientTransactionId']],
  ['ChargeRequest',   'ChargePayer',  { transactionType: 'ONE_TIME' },                           ['transactionType']],
  ['ChargeRequest',   'ChargePayer',  { transactionType: 'TOKEN_ONLY' },                         ['transactionType']],
  ['ChargeRequest',   'ChargePayer',  { paymentDetails: { amount: undefined } },                 ['paymentDetails.amount']],
  ['ChargeRequest',   'ChargePayer',  { paymentDetails: { currency: 'EUR' } },                   ['paymentDetails.currency']],
  ['ChargeRequest',   'ChargePayer',  { paymentDetails: { autoCapture: 1 } },                    ['paymentDetails.autoCapture']],
  ['ChargeRequest',   'ChargePayer',  { payerDetails: undefined },                               ['payerDetails']],
  ['ChargeRequest',   'ChargePayer',  { payerDetails: { payerId: undefined } },                  ['payerDetails', 'payerDetails.payerId', 'payerDetails.paymentToken']],
  ['ChargeRequest',   'ChargePayer',  { payerDetails: { payerId: '' } },                         ['payerDetails.payerId']],
  ['CaptureRequest',  'CapturePart',  { transactionId: undefined },                              ['transactionId']],
  ['CaptureRequest',  'CapturePart',  { paymentDetails: { amount: 0 } },                         ['paymentDetails.amount']],
  ['CaptureRequest',  'CaptureAll',   { paymentDetails: undefined },                             ['paymentDetails']],
  ['CancelRequest',   'Cancel',       { clientTransactionId: undefined },                        ['clientTransactionId']],
  ['RefundRequest',   'RefundPart',   { paymentDetails: { description: undefined } },            ['paymentDetails.description']],
  ['RefundRequest',   'RefundPart',   { paymentDetails: { amount: '2500' } },                    ['paymentDetails.amount']],
]

// biome-ignore format: a table reads by its columns
const ACCEPTED: [why: string, schema: string, example: string, change: Json][] = [
  ['unknown fields, which D-46 decides',            'InitiateRequest', 'InitiateBlik', { colour: 'blue', payerDetails: { hat: true } }],
  ['a charge by a token alone (2.3)',       'ChargeRequest',   'ChargeToken',  { transactionType: undefined }],
  ['a charge by payer and token (D-63)',    'ChargeRequest',   'ChargeToken',  { payerDetails: { payerId: 'payer-42' } }],
  ['a charge that says nothing of its type (D-64)', 'ChargeRequest', 'ChargePayer', { transactionType: undefined }],
  ['a token without an amount (D-44)',      'InitiateRequest', 'InitiateTokenOnly', {}],
  ['a token with an amount (D-62)',         'InitiateRequest', 'InitiateTokenOnly', { paymentDetails: { amount: 1 } }],
  ['IRIS recurring, refused later (D-37)',  'InitiateRequest', 'InitiateIris', { transactionType: 'RECURRING' }],
  ['the scheme of an app (D-110)',          'InitiateRequest', 'InitiateIris', { returnUrl: 'shop.example.app://order/1002' }],
  ['the scheme of an app, without a host',  'InitiateRequest', 'InitiateIris', { returnUrl: 'myshop:/back?order=1002' }],
  ['a phone of the longest kind (D-45)',    'InitiateRequest', 'InitiateIris', { payerDetails: { phone: { countryCode: '+1684', number: '1234567890' } } }],
  ['no request context',                    'InitiateRequest', 'InitiateBlik', { requestContext: undefined }],
  ['a refund of all that is left',          'RefundRequest',   'RefundPart',   { paymentDetails: { amount: undefined } }],
]

describe('requests against their schemas', () => {
  test.each(REFUSED)('%s %s with %j is refused', (schema, example, change, fields) => {
    expect(faultsOf(schema, changed(example, change)).sort()).toEqual(fields)
  })

  test.each(ACCEPTED)('%s passes', (_why, schema, example, change) => {
    expect(faultsOf(schema, changed(example, change))).toEqual([])
  })

  test('another grant type and a missing client are refused (5.3)', () => {
    expect(faultsOf('TokenRequest', { grant_type: 'password', client_id: 'demo-merchant' })).toEqual(['grant_type'])
    expect(faultsOf('TokenRequest', { grant_type: 'client_credentials' })).toEqual(['client_id'])
  })
})
