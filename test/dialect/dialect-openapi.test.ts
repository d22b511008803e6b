import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { withMovedRefusals } from '../../contracts/dialect/openapi/moved-refusals.ts'
import { OPERATION_NAMES, operationAddress } from '../../contracts/operations.ts'
import { REFUSALS, type RefusalName } from '../../contracts/protocol/reason-codes.ts'
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
    const description = dialectOpenApi(lines, OWN)

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

test('what a profile says otherwise stands where a merchant looks for it', () => {
  const { paths, components } = dialectOpenApi(linesOf('every-line'), OWN) as {
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a description by name
    paths: any
    // biome-ignore lint/suspicious/noExplicitAny: as above
    components: any
  }
  const { InitiateRequest, CaptureRequest, InitiateAnswer, FinalizeRequest, MockRequest, Refusal } = components.schemas
  const { amount } = InitiateRequest.properties.payment_details.properties
  expect(amount).toMatchObject({ type: 'string', pattern: '^[0-9]+(\\.[0-9]{1,2})?$' })
  expect(InitiateRequest.required).toContain('payment_details')
  expect(CaptureRequest.properties.unit).toEqual({ const: 'PLN' })
  expect(CaptureRequest.required).toEqual(expect.arrayContaining(['unit']))
  expect(FinalizeRequest.properties).not.toHaveProperty('processing_account_id')
  expect(InitiateAnswer.properties.data.properties.provider_details.properties.expires_at).toMatchObject({
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
    anyOf: [{ $ref: '#/components/schemas/RefundAnswer' }, { $ref: '#/components/schemas/Refusal' }],
  })
  expect(paths['/.well-known/jwks.json'].get.security).toEqual([{ certificate: [], token: ['payments:read'] }])
  expect(paths['/find/{clientTransactionId}'].get.parameters).toContainEqual(
    expect.objectContaining({ name: 'clientTransactionId', in: 'path', required: true }),
  )
})

test('a refusal that a decision moves to another status stands under that one too', () => {
  const [conflict, failed] = [{ $ref: '#/conflict' }, { $ref: '#/failed' }]
  const rowOf = (name: RefusalName) => ({ http: name === 'KEY_REUSED' ? 422 : REFUSALS[name].http })
  expect(withMovedRefusals({ '409': conflict, '500': failed }, rowOf)).toEqual({
    '409': conflict,
    '422': conflict,
    '500': failed,
  })
})
