import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { placedMembers } from '../../contracts/dialect/compare/member-places-of-messages.ts'
import type { DialectLines, MessageName } from '../../contracts/dialect/dialect-lines.ts'
import { dialectFromOpenApi } from '../../contracts/dialect/from-openapi/dialect-from-openapi.ts'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { createSpokenContext } from '../../contracts/dialect/openapi/spoken-context.ts'
import { jsonOf, requestSchema } from '../../contracts/dialect/openapi/spoken-request.ts'
import { responseSchema } from '../../contracts/dialect/openapi/spoken-responses.ts'
import { readDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { OPERATION_NAMES, operationAddress } from '../../contracts/operations.ts'
import { meaningOfChoice } from '../../contracts/read-decisions-table.ts'
import { readDialectFile } from '../../simulator/options/read-dialect-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = parse(readFileSync(join(ROOT, 'contracts/openapi.yaml'), 'utf8'))
const PROFILES = ['snake-case', 'bookkeeping', 'coarse-states']

const linesOf = (name: string): DialectLines => readDialectLines(join(ROOT, `test/conformance/dialects/${name}.yaml`))

/** The places of every member in every message of a dialect, by the message and the document's name. */
const placesIn = (lines: DialectLines): Map<string, string> => {
  const context = createSpokenContext(lines, OWN)
  const places = new Map<string, string>()
  const add = (kind: string, placed: ReturnType<typeof placedMembers>) => {
    for (const [path, { pointer, isContainer }] of placed) if (!isContainer) places.set(`${kind}.${path}`, pointer)
  }
  const operations = Object.values(OWN.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    Object.values,
  )
  for (const name of OPERATION_NAMES.filter(one => one !== 'token' && one !== 'keySet')) {
    add(
      `requests.${name}`,
      placedMembers(requestSchema(context, name), context.placesOf.request(name), context.resolve),
    )
    const { responses } = operations.find(({ operationId }) => operationId === name) as {
      responses: Record<string, unknown>
    }
    const schema = responseSchema(context, name, jsonOf(responses['200']).schema)
    add(`members.${name}`, placedMembers(schema, context.placesOf.response(name as MessageName), context.resolve))
  }
  const refusal = responseSchema(context, 'refusal', OWN.components.schemas.Refusal)
  add('members.refusal', placedMembers(refusal, context.placesOf.response('refusal'), context.resolve))
  return places
}

/** Members that the first dialect has elsewhere than the second, and all that both have. */
const compared = (found: DialectLines, original: DialectLines) => {
  const [ours, theirs] = [placesIn(found), placesIn(original)]
  const both = [...theirs.keys()].filter(path => ours.has(path))
  return { both, wrong: both.filter(path => ours.get(path) !== theirs.get(path)) }
}

describe.each(PROFILES)('the printed document of %s, imported', name => {
  const original = linesOf(name)
  const printed = dialectOpenApi(original, OWN, meaningOfChoice)
  const { lines, unplaced } = dialectFromOpenApi(printed, OWN)
  const told = unplaced.map(({ place }) => place)

  test('has no member at a wrong place that it does not tell, and most at the right one', () => {
    const { both, wrong } = compared(lines, original)
    const query = operationAddress('search', original.paths).path.includes('?')
      ? ['requests.search.clientTransactionId']
      : []
    expect(wrong.filter(path => !told.includes(path) && !query.includes(path))).toEqual([])
    expect(both.length).toBeGreaterThan(200)
    expect(wrong.length).toBeLessThan(both.length / 20)
  })

  test('has the addresses, statuses, words, forms and refusals of the profile', () => {
    for (const operation of OPERATION_NAMES) {
      const [ours, theirs] = [lines, original].map(({ paths }) => operationAddress(operation, paths))
      expect({ ...ours, path: ours?.path }).toEqual({ ...theirs, path: theirs?.path.split('?')[0] })
    }
    expect(lines.success ?? {}).toEqual(original.success ?? {})
    expect(lines.naming).toBe(original.naming)
    expect(lines.forms).toEqual(original.forms)
    expect(lines.ids).toEqual(original.ids)
    expect(lines.errors).toEqual(original.errors)
    expect(lines.requests?.always).toEqual(original.requests?.always)
    expect(lines.enums?.status).toEqual(original.enums?.status)
    expect(lines.enums?.transactionType).toEqual(original.enums?.transactionType)
    const { webhook: _, ...fields } = original.fields ?? {}
    expect(lines.fields).toEqual(fields)
  })

  test('is a dialect that the simulator speaks', () => {
    const file = join(temporaryFolder(), 'imported.yaml')
    writeFileSync(file, stringify(lines))
    expect(readDialectFile(file).lines).toEqual(lines)
  })

  test('names no operation wrongly without the ids of ours', () => {
    const nameless = JSON.parse(JSON.stringify(printed).replaceAll(/"operationId":"\w+",/g, ''))
    const found = dialectFromOpenApi(nameless, OWN)
    const missing = OPERATION_NAMES.filter(one => found.unplaced.some(({ place }) => place === `paths.${one}`))
    for (const operation of OPERATION_NAMES.filter(one => !missing.includes(one)))
      expect(operationAddress(operation, found.lines.paths).path).toBe(
        operationAddress(operation, original.paths).path.split('?')[0],
      )
    expect(missing.length).toBeLessThan(4)
  })
})

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

/** A document of one call, whose request has these members. */
const documentWith = (
  properties: object,
  more: object = {},
  responses: object = { '201': { description: 'Made.' } },
  required: readonly string[] = [],
) => ({
  openapi: '3.0.3',
  info: { title: 'Theirs', version: '1' },
  paths: {
    '/pay/start': {
      post: {
        operationId: 'startPayment',
        requestBody: { content: { 'application/json': { schema: object(properties, required) } } },
        responses,
      },
    },
    ...more,
  },
})

describe('a document of another hand', () => {
  test('of OpenAPI 3.0 is read by names and types', () => {
    const properties = {
      merchant_account: { type: 'string' },
      order_id: { type: 'string', nullable: true },
      purchase: { type: 'object', properties: { total: { type: 'integer' }, currency_code: { type: 'string' } } },
      customer: { allOf: [{ type: 'object', properties: { otp: { type: 'string' } } }] },
    }
    const { lines } = dialectFromOpenApi(documentWith(properties), OWN)
    expect(lines).toMatchObject({
      paths: { initiate: '/pay/start' },
      naming: 'snake_case',
      success: { initiate: [201] },
      requests: {
        initiate: {
          processingAccountId: '/merchant_account',
          clientTransactionId: '/order_id',
          'paymentDetails.amount': '/purchase/total',
          'paymentDetails.currency': '/purchase/currency_code',
          'payerDetails.oneTimeCode': '/customer/otp',
        },
      },
    })
  })

  test('with two members that may be the same one places neither, and tells both', () => {
    const properties = { payment_ref: { type: 'string' }, order_ref: { type: 'string' }, order_id: { type: 'string' } }
    const { lines, unplaced } = dialectFromOpenApi(documentWith(properties), OWN)
    expect(lines.requests).toBeUndefined()
    expect(unplaced).toContainEqual({
      place: 'requests.initiate.clientTransactionId',
      reason: 'it may be /order_ref or /order_id',
    })
    expect(unplaced).toContainEqual({
      place: 'requests.initiate /payment_ref',
      reason: 'it is clearly no member of ours',
    })
  })

  test('with two calls that may be the same operation places neither', () => {
    const call = { post: { responses: { '200': { description: 'Done.' } } } }
    const { lines, unplaced } = dialectFromOpenApi(documentWith({}, { '/voids': call, '/releases': call }), OWN)
    expect(lines.paths).toEqual({ initiate: '/pay/start' })
    expect(unplaced).toContainEqual({ place: 'paths.cancel', reason: 'it may be POST /voids or POST /releases' })
  })

  test('whose action stands below the payment is not taken for one that has it in its body', () => {
    const call = { post: { operationId: 'capture', responses: { '200': { description: 'Done.' } } } }
    const { lines, unplaced } = dialectFromOpenApi(documentWith({}, { '/payments/{id}/capture': call }), OWN)
    expect(lines.paths).not.toHaveProperty('capture')
    expect(unplaced.map(({ place }) => place)).toContain('POST /payments/{id}/capture')
  })

  test('whose path has another parameter beside the payment places that call nowhere, and tells so', () => {
    const path = '/merchants/{merchantId}/payments/{id}/status'
    const call = { get: { operationId: 'status', responses: { '200': { description: 'Done.' } } } }
    const { lines, unplaced } = dialectFromOpenApi(documentWith({}, { [path]: call }), OWN)
    expect(lines.paths).not.toHaveProperty('status')
    expect(unplaced).toContainEqual({
      place: 'paths.status',
      reason: `GET ${path} has several parameters, and each may be the payment`,
    })
  })

  // biome-ignore format: a table reads by its columns
  test.each<[string, object, string | undefined]>([
    ['a number',                            { type: 'number' },                                            'numbers'],
    ['a number of whole steps',             { type: 'number', multipleOf: 1, format: 'int64' },             'numbers'],
    ['a number with whole examples',        { type: 'number', minimum: 1, example: 4999, examples: [100] }, 'numbers'],
    ['a number in steps of 0.01',           { type: 'number', multipleOf: 0.01 },                           'major'],
    ['a number of at least 0.01',           { type: 'number', minimum: 0.01 },                              'major'],
    ['a number with a fractional example',  { type: 'number', example: 49.99 },                             'major'],
    ['a number with a fractional examples', { type: ['number', 'null'], examples: [100, 49.5] },            'major'],
    ['an integer',                          { type: 'integer' },                                            undefined],
    ['a text',                              { type: 'string' },                                             'texts'],
    ['a text of any characters',            { type: 'string', pattern: '^.{1,12}$' },                       'texts'],
    ['a text without a dot',                { type: 'string', pattern: '^[^.]+$' },                         'texts'],
    ['a text of digits',                    { type: 'string', pattern: '^[0-9]+$' },                        'minor-text'],
    ['a text of digits, in another way',    { type: 'string', pattern: '^[1-9]\\d*$' },                     'minor-text'],
    ['a text with an escaped dot',          { type: 'string', pattern: '^\\d{1,12}(\\.\\d{2})?$' },         'major-text'],
    ['a text with a dot in brackets',       { type: 'string', pattern: '^[0-9]+[.,][0-9]{2}$' },            'major-text'],
    ['a text whose pattern another part has', { allOf: [{ description: 'x' }, { type: 'string', pattern: '^[0-9]+$' }] }, 'minor-text'],
    ['a nullable number',                   { anyOf: [{ type: 'null' }, { type: 'number', multipleOf: 0.01 }] }, 'major'],
    ['a nullable text',                     { oneOf: [{ type: 'null' }, { type: 'string', pattern: '^[0-9]+$' }] }, 'minor-text'],
  ])('with %s as amount says what form it is only where that is clear', (_, amount, form) => {
    const { lines, unplaced } = dialectFromOpenApi(documentWith({ paymentDetails: object({ amount }) }), OWN)
    const isUnclear = form === 'numbers' || form === 'texts'
    expect(lines.forms?.amounts).toBe(isUnclear ? undefined : form)
    const told = unplaced.filter(({ place }) => place === 'forms.amounts').map(({ reason }) => reason)
    expect(told).toEqual(isUnclear ? [`amounts are ${form}, of minor or of major units`] : [])
  })

  // biome-ignore format: a table reads by its columns
  test.each<[string, string, string[], Record<string, number[]> | undefined]>([
    ['under */*',                        '*/*',                            ['200'],            undefined],
    ['under application/*',              'application/*',                  ['201'],            { initiate: [201] }],
    ['in capitals',                      'Application/JSON;charset=utf-8', ['200'],            undefined],
    ['under 2XX',                        'application/json',               ['2XX'],            undefined],
    ['under a status and 2XX',           'application/json',               ['201', '2XX'],     undefined],
    ['under default',                    'application/json',               ['default'],        undefined],
    ['under default, beside refusals',   'application/json',               ['400', 'default'], undefined],
  ])('whose response stands %s is read', (_, type, statuses, success) => {
    const content = { [type]: { schema: object({ payment_ref: { type: 'string' }, returnUrl: { type: 'string' } }) } }
    const responses = Object.fromEntries(statuses.map(status => [status, { content: status === '400' ? {} : content }]))
    const { lines, unplaced } = dialectFromOpenApi(documentWith({}, {}, responses), OWN)
    expect(unplaced.map(({ place }) => place)).toContain('members.initiate /returnUrl')
    expect(unplaced.map(({ place }) => place)).not.toContain('members.refusal /returnUrl')
    expect(lines.success).toEqual(success)
  })

  test('tells responses and refusals without a JSON schema', () => {
    const { unplaced } = dialectFromOpenApi(documentWith({}), OWN)
    expect(unplaced).toContainEqual({ place: 'members.initiate', reason: 'its response has no JSON schema' })
    expect(unplaced).toContainEqual({ place: 'members.refusal', reason: 'no refusal has a JSON schema' })
    const text = { 'text/plain': { schema: { type: 'string' } } }
    const plain = dialectFromOpenApi(documentWith({}, {}, { '200': { content: text } }), OWN)
    expect(plain.unplaced.map(({ place }) => place)).toContain('members.initiate')
  })

  const kind = (value: unknown, more: object = {}) => object({ shape: { const: value }, ...more }, ['shape'])
  const pan = { pan: { type: 'string' } }
  // biome-ignore format: a table reads by its columns
  test.each<[string, object, object | undefined]>([
    ['two alternatives that differ',       { oneOf: [kind('CARD', pan), kind('BANK')] },                              undefined],
    ['two alternatives of one word',       { anyOf: [kind('CARD', pan), kind('CARD')] },                              { '/paymentMethod/shape': 'CARD' }],
    ['an alternative without it',          { oneOf: [kind('CARD', pan), object(pan)] },                               undefined],
    ['an alternative that is a text',      { oneOf: [kind('CARD', pan), { type: 'string' }] },                        undefined],
    ['one alternative, or null',           { oneOf: [{ type: 'null' }, kind('CARD', pan)] },                          { '/paymentMethod/shape': 'CARD' }],
    ['alternatives within a part',         { allOf: [object(pan), { oneOf: [kind('CARD'), kind('BANK')] }] },         undefined],
    ['alternatives within an alternative', { oneOf: [{ anyOf: [kind('CARD'), kind('BANK')] }, kind('CARD')] },        undefined],
    ['its words beside the alternatives',  { ...object({ shape: { enum: ['CARD', 'BANK'] } }, ['shape']), oneOf: [kind('CARD'), kind('BANK')] }, undefined],
    ['words that are alternatives',        object({ shape: { oneOf: [{ const: 'CARD' }, { enum: ['BANK'] }] } }, ['shape']), undefined],
    ['one word in one alternative',        object({ shape: { anyOf: [{ const: 'CARD' }, { type: 'null' }] } }, ['shape']), { '/paymentMethod/shape': 'CARD' }],
    ['what another part requires',         { allOf: [object({ shape: { const: 'CARD' } }), { required: ['shape'] }] },  { '/paymentMethod/shape': 'CARD' }],
    ['what the schema beside the parts requires', { allOf: [object({ shape: { const: 'CARD' } })], required: ['shape'] }, { '/paymentMethod/shape': 'CARD' }],
    ['a member in two parts',              { allOf: [object({ shape: { type: 'string' } }, ['shape']), object({ shape: { const: 'CARD' } })] }, { '/paymentMethod/shape': 'CARD' }],
  ])('has a constant only where each request has it: %s', (_, paymentMethod, always) => {
    const { lines } = dialectFromOpenApi(documentWith({ paymentMethod }, {}, undefined, ['paymentMethod']), OWN)
    expect(lines.requests?.always?.initiate).toEqual(always)
  })

  test('with references into lists is read', () => {
    const parameters = [{ in: 'query', name: 'from', required: true, schema: { type: 'string', format: 'date' } }]
    const parts = { allOf: [{ type: 'string' }, object({ order_id: { type: 'string' } })] }
    const document = {
      ...documentWith(
        { order: { $ref: '#/components/schemas/Parts/allOf/1' } },
        {
          '/reports': { get: { operationId: 'reports', parameters: [{ $ref: '#/components/parameters/0' }] } },
        },
      ),
      components: { schemas: { Parts: parts }, parameters },
    }
    const { lines, unplaced } = dialectFromOpenApi(document, OWN)
    expect(lines.requests?.initiate).toEqual({ clientTransactionId: '/order/order_id' })
    expect(unplaced.map(({ place }) => place)).not.toContain('requests.reports.from')
  })

  test.each([
    [{}, true],
    [{ style: 'form' }, true],
    [{ style: 'form', explode: false }, false],
    [{ style: 'deepObject' }, false],
    [{ style: 'deepObject', explode: true }, false],
    [{ explode: true }, true],
  ])('with a query parameter that is an object: %j', (how, isExploded) => {
    const dates = object({ from: { type: 'string' }, version: { const: '2' } }, ['version'])
    const list = { in: 'query', name: 'types', schema: { type: 'array', items: { type: 'string' } } }
    const get = {
      operationId: 'reports',
      parameters: [{ in: 'query', name: 'period', required: true, schema: dates, ...how }, list],
    }
    const { lines, unplaced } = dialectFromOpenApi(documentWith({}, { '/reports': { get } }), OWN)
    const places = unplaced.map(({ place }) => place)
    expect(places.includes('requests.reports /period')).toBe(!isExploded)
    expect(lines.requests?.always?.reports).toEqual(isExploded ? { '/version': '2' } : undefined)
    expect(places).toContain('requests.reports /types')
  })

  test('of an optional query parameter has no constant', () => {
    const schema = object({ version: { const: '2' } }, ['version'])
    const get = { operationId: 'reports', parameters: [{ in: 'query', name: 'more', schema }] }
    const { lines } = dialectFromOpenApi(documentWith({}, { '/reports': { get } }), OWN)
    expect(lines.requests).toBeUndefined()
  })

  test.each([3.1, 3, '3.0.4', '3.1.1'])('of version %s is read', openapi => {
    expect(dialectFromOpenApi({ ...documentWith({}), openapi }, OWN).lines.paths).toEqual({ initiate: '/pay/start' })
  })

  test('whose parts hold themselves is read', () => {
    const loop = { allOf: [{ $ref: '#/loop' }, object({ order_id: { type: 'string' } })] }
    const { lines } = dialectFromOpenApi({ ...documentWith({ order: { $ref: '#/loop' } }), loop }, OWN)
    expect(lines.requests?.initiate).toEqual({ clientTransactionId: '/order/order_id' })
  })

  test.each<[string, unknown, string]>([
    [
      'a reference with a stray %',
      documentWith({ a: { $ref: '#/components/schemas/100%' } }),
      'has a "%" that escapes nothing: write it as "%25"',
    ],
    ['no object', [1], 'It has no object at its top'],
    ['another version', { swagger: '2.0' }, 'give a document of OpenAPI 3.0 or 3.1'],
    ['a later version', { ...documentWith({}), openapi: '3.2.0' }, 'Its "openapi" is "3.2.0": give a document'],
    [
      'a reference to an anchor',
      documentWith({ a: { $ref: '#amount' } }),
      'The reference "#amount" names an anchor: write the way to it, such as "#/components/schemas/Amount".',
    ],
    ['a reference beyond a list', { ...documentWith({ a: { $ref: '#/list/1' } }), list: [{}] }, 'leads nowhere'],
    ['no paths', { openapi: '3.1.0' }, 'It has no "paths"'],
    ['a reference to elsewhere', documentWith({ a: { $ref: 'https://x.test/a.yaml' } }), 'leads out of the file'],
    ['a reference to nothing', documentWith({ a: { $ref: '#/components/schemas/None' } }), 'leads nowhere'],
    ['a reference to itself', { ...documentWith({ a: { $ref: '#/a' } }), a: { $ref: '#/a' } }, 'leads to itself'],
  ])('with %s is refused with one sentence', (_, document, sentence) => {
    expect(() => dialectFromOpenApi(document, OWN)).toThrow(sentence)
  })

  test('whose schemas unfold without end is refused', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const node = { type: 'object', properties: Object.fromEntries(names.map(name => [name, { $ref: '#/tree' }])) }
    const bomb = { ...documentWith({ tree: { $ref: '#/tree' } }), tree: node }
    expect(() => dialectFromOpenApi(bomb, OWN)).toThrow('Its schemas hold each other too often')
  })

  test('whose schemas hold themselves is read to a bounded depth', () => {
    const node = {
      type: 'object',
      properties: { one: { $ref: '#/tree' }, two: { $ref: '#/tree' }, pin: { type: 'string' } },
    }
    const { lines } = dialectFromOpenApi({ ...documentWith({ tree: { $ref: '#/tree' } }), tree: node }, OWN)
    expect(lines.paths).toEqual({ initiate: '/pay/start' })
  })
})
