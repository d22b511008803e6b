import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parse } from 'yaml'
import { canonicalJson } from '../../../contracts/protocol/canonical-json.ts'
import { invalidRequest } from '../../../simulator/http/invalid-request.ts'
import { parseJsonBody } from '../../../simulator/http/parse-json-body.ts'
import { createRequestValidator } from '../../../simulator/http/request-validator.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import { editedJson } from '../edited-json.ts'
import { pumped } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { VALID_REQUESTS } from '../seed-api-requests.ts'

type Input = { schema: string; type: string; body: string }

const SCHEMAS = Object.keys(
  parse(readFileSync(new URL('../../../contracts/openapi.yaml', import.meta.url), 'utf8')).components.schemas,
)
const asked = SCHEMAS.filter(name => /(Request|Query)$/.test(name))

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;',
  'text/json',
  '',
  'application/jsonx',
]

/** Fuzz target: JSON parsing and schema validation of API bodies; accepted, or refused with a message (7.1). */
export const jsonBodies = fuzzTarget<Input>({
  name: 'json',
  sends: 'JSON bodies to the parser and every schema of the contract',
  inputs: fc.record({
    schema: fc.constantFrom(...asked),
    type: fc.oneof({ weight: 20, arbitrary: fc.constant('application/json') }, fc.constantFrom(...TYPES)),
    body: fc.oneof(
      { weight: 20, arbitrary: editedJson(VALID_REQUESTS.map(({ body }) => body)) },
      pumped([
        '[',
        ']',
        '{',
        '}',
        '{"a":',
        '"a":1,',
        '"',
        '\\u0000',
        '1',
        '0',
        'e9',
        '-',
        ',',
        '[[',
        '\n',
        ' ',
        '{"amount":',
      ]),
    ),
  }),
  covers: [
    'contracts/schema/*.ts',
    'simulator/http/parse-json-body.ts',
    'simulator/http/known-and-unknown-request-members.ts',
    'simulator/http/request-validator.ts',
    'simulator/support/untrusted-text.ts',
    'contracts/protocol/canonical-json.ts',
    'simulator/support/refusal.ts',
  ],
  guided: ['body'],
  few: 120,
  open: async () => {
    const { faults, members } = createRequestValidator()
    return ({ schema, type, body }) => {
      try {
        const value = parseJsonBody(Buffer.from(body), type)
        canonicalJson(value)
        members.unknown(schema, value)
        const { fields } = faults(schema, value)
        if (Object.keys(fields).length > 0) throw invalidRequest(fields)
      } catch (error) {
        if (!(error instanceof Refusal)) return `${error}`
        if (!/^[^\n]{5,3000}\.$/.test(error.message))
          return `the refusal is no sentence: ${JSON.stringify(error.message.slice(0, 300))}`
      }
    }
  },
})
