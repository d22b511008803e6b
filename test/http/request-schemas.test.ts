import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { PATTERN_DESCRIPTIONS } from '../../simulator/http/request-validator.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

type Schema = {
  $ref?: string
  type?: string
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  allOf?: Schema[]
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const text = readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8')
const { components } = parse(text) as {
  components: { schemas: Record<string, Schema> }
}

const ACT = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'act-1', transactionId: 'nobody' }

/** Valid requests by schema, with every member of the schema. */
const FULL: Record<string, [path: string, body: object]> = {
  InitiateRequest: [
    '/payments/initiate',
    irisInitiateBody({
      paymentDetails: { amount: 1, currency: 'EUR', country: 'GR', description: 'x', autoCapture: true },
      payerDetails: {
        payerId: 'payer-1',
        oneTimeCode: '123456',
        phone: { countryCode: '+30', number: '2101234567' },
        bankId: 'ABCDGRAA',
      },
      requestContext: { ipAddress: '::1', userAgent: 'x', channel: 'WEB', deviceId: 'x', locale: 'el-GR' },
      metadata: { note: 'x' },
      autoCapture: true,
    }),
  ],
  FinalizeRequest: ['/payments/finalize', { processingAccountId: ACT.processingAccountId, transactionId: 'nobody' }],
  CaptureRequest: ['/payments/capture', { ...ACT, paymentDetails: { amount: 1 } }],
  CancelRequest: ['/payments/cancel', ACT],
  RefundRequest: ['/payments/refund', { ...ACT, paymentDetails: { amount: 1, description: 'x' } }],
}

/** Resolves references and merges `allOf` of a schema. */
const folded = (schema: Schema): Schema => {
  if (schema.$ref) return folded(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const parts = (schema.allOf ?? []).map(folded)
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    required: [schema, ...parts].flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
  }
}

type Member = { path: string[]; schema: Schema; required: boolean }

/** Members of a schema at any depth. */
const membersOf = (schema: Schema, path: string[] = []): Member[] => {
  const { properties = {}, required = [] } = folded(schema)
  return Object.entries(properties).flatMap(([name, part]) => {
    const member = { path: [...path, name], schema: folded(part), required: required.includes(name) }
    return [member, ...membersOf(part, member.path)]
  })
}

const WRONG_TYPE: Record<string, unknown[]> = {
  string: [1, true, null, [], {}, ['x']],
  integer: ['1', 1.5, true, null, [], {}],
  boolean: ['true', 1, null, [], {}],
  object: ['x', 1, true, null, []],
}

/** Values that violate the type or a limit of a schema. */
const wrongValues = ({
  type = '',
  enum: words,
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
}: Schema): unknown[] => [
  ...(WRONG_TYPE[type] ?? []),
  ...(words ? ['NOPE'] : []),
  ...(pattern ? ['?'] : []),
  ...(minLength ? [''] : []),
  ...(maxLength ? ['x'.repeat(maxLength + 1)] : []),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined ? [] : [maximum + 1]),
]

/** Copies a body with one member replaced; undefined removes it. */
const changed = (body: object, [name = '', ...rest]: string[], value: unknown): object => {
  const inner = (body as Record<string, object>)[name] ?? {}
  return { ...body, [name]: rest.length > 0 ? changed(inner, rest, value) : value }
}

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const refusedWith = async (target: string, body: object): Promise<Record<string, string>> => {
  const answer = await sandbox.send(await sandbox.sign({ target, body }))
  const { fields } = await expectRefusal(answer, sandbox.keySet, '400/4000')
  return fields ?? {}
}
const refusedFields = async (target: string, body: object) => Object.keys(await refusedWith(target, body))

const MEMBERS = Object.entries(FULL).flatMap(([name, [target, body]]) =>
  membersOf(components.schemas[name] ?? {}).map(member => ({ ...member, name, target, body })),
)

test('the members are found in the OpenAPI description', () => {
  expect(MEMBERS.length).toBeGreaterThan(40)
  expect(MEMBERS.every(({ schema }) => schema.type !== undefined)).toBe(true)
})

test('a violated pattern is reported in words', async () => {
  const [target, body] = FULL.InitiateRequest as [string, object]
  const broken = { payerDetails: { payerId: 'p', oneTimeCode: '12', bankId: '?' }, returnUrl: 'ftp://shop.test' }
  expect(await refusedWith(target, { ...body, ...broken })).toMatchObject({
    'payerDetails.oneTimeCode': 'must be six digits',
    'payerDetails.bankId': 'must be a BIC of 8 or 11 characters',
    returnUrl:
      'must be an address that begins with http:// or https:// and a host, or with the scheme of an app and a slash, such as myshop://back',
  })
})

const blikCharge = {
  ...{
    processingAccountId: ACT.processingAccountId,
    clientTransactionId: 'x',
    providerDetails: { providerId: 'BLIK' },
  },
  paymentDetails: { amount: 1, currency: 'PLN', country: 'PL', description: 'x' },
}
const OTHERS: Record<string, [path: string, body: object]> = {
  SearchRequest: ['/payments/search', {}],
  ChargeRequest: ['/payments/charge', blikCharge],
}

const messageOf = async (name: string, changes: object): Promise<string> => {
  const [target, body] = { ...FULL, ...OTHERS }[name] as [string, object]
  const answer = await sandbox.send(await sandbox.sign({ target, body: { ...body, ...changes } }))
  return (await expectRefusal(answer, sandbox.keySet, '400/4000')).statusInfo.message
}

// biome-ignore format: a table reads by its columns
test.each([
  ['InitiateRequest', { clientTransactionId: 7 },                'clientTransactionId must be a text'],
  ['InitiateRequest', { clientTransactionId: '' },               'clientTransactionId must not be empty'],
  ['InitiateRequest', { clientTransactionId: 'x'.repeat(256) },  'clientTransactionId must have at most 255 characters'],
  ['InitiateRequest', { metadata: [] },                          'metadata must be an object'],
  ['InitiateRequest', { autoCapture: 1 },                        'autoCapture must be true or false'],
  ['SearchRequest',   { createdFrom: 'today' },                  'createdFrom must be a time with its zone, such as 2026-01-31T12:00:00Z'],
  ['SearchRequest',   { limit: '5' },                            'limit must be a whole number'],
  ['ChargeRequest',   { payerDetails: {} },                      'payerDetails.payerId or payerDetails.paymentToken is missing'],
] as const)('a refusal of %s with %j is a sentence', async (name, changes, told) => {
  expect(await messageOf(name, changes)).toBe(`The request is not valid: ${told}.`)
})

test.each(['2026-11-21T10:00Z', '2026-11-21T10:00+02:00', '2026-11-21T10:00:00+02', '2026-11-21t10:00:00.5z'])(
  '2.7, D-80: %s is a time with its zone',
  async createdFrom => {
    await expectServed(
      await sandbox.send(await sandbox.sign({ target: '/payments/search', body: { createdFrom } })),
      sandbox.keySet,
    )
  },
)

test.each([
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
  '2026-11-21T10Z',
  '2026-11-21T10:00',
  '2026-13-21T10:00Z',
])('D-38: %s is none, or one that no response could tell', async createdFrom => {
  const told = 'createdFrom must be a time with its zone, such as 2026-01-31T12:00:00Z'
  expect(await messageOf('SearchRequest', { createdFrom })).toBe(`The request is not valid: ${told}.`)
})

test('a refusal of many members names the first, and how many there are', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index]))
  expect(await messageOf('InitiateRequest', { metadata: wrong })).toMatch(
    /(metadata\.m\d must be a text; ){5}and 15 more: see fields\.$/,
  )
})

test.each(Object.keys(PATTERN_DESCRIPTIONS))('the pattern %s, which has a text, is in the description', pattern => {
  expect(text).toContain(`pattern: '${pattern}'`)
})

test.each(MEMBERS.map(member => ({ ...member, title: `${member.name} ${member.path.join('.')}` })))(
  '$title: each wrong value is refused with 400 and the field',
  async ({ target, body, path, schema, required }) => {
    const values = [...wrongValues(schema), ...(required ? [undefined] : [])]
    const refused = await Promise.all(values.map(value => refusedFields(target, changed(body, path, value))))
    for (const [index, fields] of refused.entries())
      expect(
        fields.some(field => field === path.join('.') || field.startsWith(`${path.join('.')}.`)),
        `${JSON.stringify(values[index])?.slice(0, 60)} → ${fields}`,
      ).toBe(true)
  },
)
