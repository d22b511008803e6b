import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parse } from 'yaml'
import { canonicalJson } from '../../../contracts/protocol/canonical-json.ts'
import { parseJson } from '../../../simulator/http/parse-json.ts'
import { createValidate } from '../../../simulator/http/validate.ts'
import { Refusal } from '../../../simulator/refusal.ts'
import { editedJson } from '../edited-json.ts'
import { pumped } from '../edited-text.ts'
import { REQUESTS } from '../good-requests.ts'
import { part } from '../part.ts'

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

/** Bodies of the API, read and judged by the schemas: taken, or refused with a sentence (7.1). */
export const json = part<Input>({
  name: 'json',
  sends: 'JSON bodies to the parser and every schema of the contract',
  inputs: fc.record({
    schema: fc.constantFrom(...asked),
    type: fc.oneof({ weight: 20, arbitrary: fc.constant('application/json') }, fc.constantFrom(...TYPES)),
    body: fc.oneof(
      { weight: 20, arbitrary: editedJson(REQUESTS.map(({ body }) => body)) },
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
    'simulator/http/{parse-json,validate,clip}.ts',
    'contracts/protocol/canonical-json.ts',
    'simulator/refusal.ts',
  ],
  guided: ['body'],
  few: 120,
  open: async () => {
    const validate = createValidate()
    return ({ schema, type, body }) => {
      try {
        const value = parseJson(Buffer.from(body), type)
        canonicalJson(value)
        validate(schema, value)
      } catch (error) {
        if (!(error instanceof Refusal)) return `${error}`
        if (!/^[^\n]{5,3000}\.$/.test(error.message))
          return `the refusal is no sentence: ${JSON.stringify(error.message.slice(0, 300))}`
      }
    }
  },
})
