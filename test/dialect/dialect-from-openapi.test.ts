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

/** A document of one call, whose request has these members. */
const documentWith = (properties: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Theirs', version: '1' },
  paths: {
    '/pay/start': {
      post: {
        operationId: 'startPayment',
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
        responses: { '201': { description: 'Made.' } },
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

  test.each<[string, unknown, string]>([
    [
      'a reference with a stray %',
      documentWith({ a: { $ref: '#/components/schemas/100%' } }),
      'has a "%" that escapes nothing: write it as "%25"',
    ],
    ['no object', [1], 'It has no object at its top'],
    ['another version', { swagger: '2.0' }, 'give a document of OpenAPI 3.0 or 3.1'],
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
