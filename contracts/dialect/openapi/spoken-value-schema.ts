import { isJsonObject } from '../../protocol/canonical-json.ts'
import { OPAQUE } from '../member-places.ts'
import type { ValueForms } from '../value-forms.ts'
import { dereferenced, listOf, type Resolve, type Schema } from './message-schema.ts'

/** Context in which the schema of a value is translated to a dialect: value forms, resolver and speller. */
export type ValueContext = { values: ValueForms; resolve: Resolve; spell(text: string, member?: string): string }

/** Sample values, from whose translation the form of a member is told. */
const AMOUNT = 4999
const TIME = '2026-11-21T10:00:00.000Z'
const CODE = '4000'
const UUID = '00000000-0000-7000-8000-0c9b5a346f0e'

/** A form: whether the translated sample has it, and the schema of its values. */
type FormRow = { sample: unknown; has(written: unknown): boolean; schema(node: Schema): Schema }

/** Forms of values other than the document's; the first that a member has decides. */
// biome-ignore format: a table reads by its columns
const FORMS: Readonly<Record<'integer' | 'string', readonly FormRow[]>> = {
  integer: [
    { sample: AMOUNT, has: written => written === '4999',  schema: node => ({ type: 'string', pattern: digits(node), description: 'Minor units, as text (2.2).' }) },
    { sample: AMOUNT, has: written => written === 49.99,   schema: node => ({ type: 'number', minimum: Number(node.minimum) / 100, description: 'Major units, złoty or euro (2.2).' }) },
    { sample: AMOUNT, has: written => written === '49.99', schema: () => ({ type: 'string', pattern: '^[0-9]+(\\.[0-9]{1,2})?$', description: 'Major units, złoty or euro, as text (2.2).' }) },
  ],
  string: [
    { sample: UUID,   has: isNoText,                       schema: node => ({ type: 'integer', minimum: 0, description: node.description }) },
    { sample: TIME,   has: written => written === 1_795_255_200,     schema: () => ({ type: 'integer', minimum: 0, description: 'UNIX time in seconds.' }) },
    { sample: TIME,   has: written => written === 1_795_255_200_000, schema: () => ({ type: 'integer', minimum: 0, description: 'UNIX time in milliseconds.' }) },
    { sample: CODE,   has: isNoText,                       schema: node => node.pattern ? { type: 'integer', description: node.description } : { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
  ],
}

function isNoText(written: unknown): boolean {
  return typeof written !== 'string'
}

/** Pattern of an integer as text, with the bounds that count digits. */
const digits = ({ minimum, maximum }: Schema): string => {
  const more = typeof maximum === 'number' ? `{0,${String(maximum).length - 1}}` : '*'
  return Number(minimum) > 0 ? `^[1-9][0-9]${more}$` : `^(0|[1-9][0-9]${more})$`
}

/** Translates the schema of a member's value to a dialect, by the member's name in the document. */
export const spokenValueSchema = (schema: unknown, name: string, context: ValueContext): Schema => {
  const { values, resolve, spell } = context
  const node = resolve(schema)
  if (OPAQUE.includes(name)) return dereferenced(node, resolve) as Schema
  const { anyOf, items, enum: words, const: only, default: usual, examples, description, ...rest } = node
  const form = formOf(node, name, values)
  const written = (list: unknown) => [...new Set(listOf(list).map(value => values.write(name, value)))]
  return withoutUndefined({
    ...(form ? form.schema(node) : { ...(dereferenced(rest, resolve) as Schema), description }),
    ...(anyOf !== undefined && { anyOf: listOf(anyOf).map(part => spokenValueSchema(part, name, context)) }),
    ...(items !== undefined && { items: spokenValueSchema(items, name, context) }),
    ...(words !== undefined && { enum: written(words) }),
    ...(only !== undefined && { const: values.write(name, only) }),
    ...(usual !== undefined && { default: values.write(name, usual) }),
    ...(examples !== undefined && { examples: written(examples) }),
    ...(typeof node.pattern === 'string' && !form && !fitsWords(node, name, values) && { pattern: undefined }),
    ...(!form && typeof description === 'string' && { description: spell(description, name) }),
  })
}

const formOf = (node: Schema, name: string, values: ValueForms): FormRow | undefined => {
  if (node.enum || node.const !== undefined) return undefined
  if (node.type === 'string' && /^(date|uri|uuid)$/.test(String(node.format))) return undefined
  const rows = node.type === 'integer' || node.type === 'string' ? FORMS[node.type] : []
  return rows.find(({ sample, has }) => has(values.write(name, sample)))
}

/** Whether the pattern still holds: the examples that fit it, translated, fit it too. */
const fitsWords = ({ pattern, examples }: Schema, name: string, values: ValueForms): boolean => {
  const fits = new RegExp(String(pattern))
  return listOf(examples).every(word => fits.test(String(values.write(name, word))))
}

/** Copies a JSON schema without the members that are undefined, which an OpenAPI document cannot show. */
export const withoutUndefined = (node: Schema): Schema =>
  Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined))

/** Merges two schemas of one member: into one where none denies a keyword of the other, else into `allOf`. */
export const mergedSchemas = (one: Schema, other: Schema): Schema => {
  const disagrees = Object.keys(other).some(
    name => name !== 'description' && name in one && JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )
  if (!disagrees) return { ...other, ...one }
  return { allOf: [...(isJsonObject(one) && one.allOf ? listOf(one.allOf) : [one]), other] }
}
