import type { ValidateFunction } from 'ajv/dist/2020.js'
import reportSchema from '../../report.schema.json' with { type: 'json' }
import { createAjv } from '../../schema/create-schema-validator.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const count = { type: 'integer', minimum: 0 }
const members = (properties: Readonly<Record<string, object>>, ...optional: string[]) => ({
  type: 'object',
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  properties,
})

const waits = { $ref: 'report#/$defs/wait' }
const kind = { enum: ['open', 'empty', 'withheld', 'inconclusive', 'blocked', 'fault'] }
const failure = members({ kind, message: text, exchange: count, line: text, waits }, 'exchange', 'line', 'waits')
const journey = members(
  {
    name: text,
    asked: texts,
    seen: count,
    steps: { type: 'object', additionalProperties: { anyOf: [{ type: 'integer' }, failure] } },
    stopped: failure,
  },
  'stopped',
)
const { suite, target, tier, summary, explored } = reportSchema.properties
const verdict = { $ref: 'report#/$defs/verdict' }

/** JSON Schemas of the files that a run saves, checked when they are read: a saved run may come from anywhere. */
const SCHEMAS = {
  report: { $ref: 'report#' },
  transcript: members({
    format: { const: 1 },
    journeys: { type: 'array', items: journey },
    exchanges: { type: 'array', items: { $ref: 'report#/$defs/exchange' } },
  }),
  certificate: members(
    {
      format: { const: 1 },
      issuedAt: text,
      suite,
      profile: text,
      target,
      tier,
      only: texts,
      excluded: { type: 'array', items: members({ verdict, reason: text, checks: texts }) },
      summary: {
        ...summary,
        properties: { ...summary.properties, counts: { type: 'object', additionalProperties: count } },
      },
      explored,
      files: { type: 'object', additionalProperties: text },
      notRejudged: { type: 'array', items: members({ id: text, verdict }) },
    },
    'excluded',
    'explored',
  ),
  pending: members(
    {
      format: { const: 1 },
      digests: { type: 'object', additionalProperties: text },
      called: count,
      uncounted: count,
      secrets: members({ count, labels: { type: 'object', additionalProperties: text } }),
      scenarios: {
        type: 'array',
        items: members({
          name: text,
          asked: texts,
          wait: waits,
          given: { type: 'object', additionalProperties: text },
          log: members({
            calls: {
              type: 'array',
              items: members(
                { organization: text, place: count, exchange: { $ref: 'report#/$defs/exchange' } },
                'place',
              ),
            },
            times: { type: 'array', items: { type: 'number' } },
            acts: { type: 'array', items: members({ calls: count, failure: text }, 'failure') },
            missed: { type: 'array', items: count },
          }),
        }),
      },
    },
    'uncounted',
  ),
  ledgerLine: {
    anyOf: [
      members(
        { of: count, status: count, declined: { const: true }, fault: text, transactionId: text },
        'status',
        'declined',
        'fault',
        'transactionId',
      ),
      members({ line: count, at: text, organization: text, operation: text }),
    ],
  },
} as const

const compiled = new Map<string, ValidateFunction>()
const ajv = createAjv({ validateFormats: false, allowUnionTypes: true }).addSchema(reportSchema, 'report')

/** Whether a parsed value matches the schema of this kind of saved file. */
export const matchesSavedFileSchema = (name: keyof typeof SCHEMAS, value: unknown): boolean => {
  const validate = compiled.get(name) ?? ajv.compile(SCHEMAS[name])
  compiled.set(name, validate)
  return validate(value) === true
}
