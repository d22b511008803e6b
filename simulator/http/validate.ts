import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse as parseYaml } from 'yaml'
import { Refusal } from '../refusal.ts'
import { clip } from './clip.ts'

/** Nobody mends more faults than these at a time. */
const MOST_FIELDS = 20

export type Validate = (schema: string, value: unknown) => void

/** Judges requests by the schemas of the API description, each compiled when it is first needed. */
export const createValidate = (): Validate => {
  const { components } = parseYaml(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false }) // a test has judged the description
  ajv.addVocabulary(['components'])
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'contract', components })
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const check = compiled.get(schema) ?? ajv.compile({ $ref: `contract#/components/schemas/${schema}` })
    compiled.set(schema, check)
    if (check(value)) return
    const fields = fieldsOf(check.errors ?? [])
    const names = Object.keys(fields)
    throw new Refusal(
      'INVALID_INPUT',
      'validation',
      `The request is not valid: ${names.map(name => `${name} ${fields[name]}`).join('; ')}.`,
      { fields },
    )
  }
}

/** Complaints that only repeat what others tell in detail. */
const SUMMING_UP: readonly string[] = ['if', 'allOf', 'anyOf']

/** The first complaint about each field, by its dotted path; complaints that only sum up others are left out. */
const fieldsOf = (faults: readonly ErrorObject[]): Record<string, string> => {
  const telling = faults.filter(({ keyword }) => !SUMMING_UP.includes(keyword))
  const fields = new Map<string, string>() // whatever a field is called, __proto__ too
  for (const fault of telling) {
    const path = pathOf(fault)
    if (!fields.has(path)) fields.set(path, sayingOf(fault))
    if (fields.size >= MOST_FIELDS) break
  }
  return Object.fromEntries(fields)
}

const pathOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath
    .split('/')
    .slice(1)
    .map(part => clip(part.replaceAll('~1', '/').replaceAll('~0', '~')))
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (keyword === 'additionalProperties') path.push(clip(String(params.additionalProperty)))
  return path.join('.') || 'body'
}

/** What the patterns of the description ask for, in words; a pattern that has none here is told as it stands. */
// biome-ignore format: a table reads by its columns
export const PATTERNS: Readonly<Record<string, string>> = {
  '^[0-9]{6}$':                                       'six digits',
  '^[0-9]{4,15}$':                                    'four to fifteen digits',
  '^\\+[1-9][0-9]{0,2}$':                             'a plus sign and one to three digits, such as +48',
  '^[A-Z]{2}$':                                       'two capital letters, such as PL',
  '^[A-Z]{3}$':                                       'three capital letters, such as PLN',
  '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$':   'a BIC of 8 or 11 characters',
  '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$':           'a language, such as pl or pl-PL',
  '^[A-Z][A-Z0-9_]{0,63}$':                           'a name in capital letters, such as OK',
  '^https?://[^/?#@]+([/?#]|$)':                      'an address that begins with http:// or https:// and a host',
}

const sayingOf = ({ keyword, params, message }: ErrorObject): string => {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'pattern': {
      const words = PATTERNS[params.pattern]
      return words === undefined ? `${message}` : `must be ${words}`
    }
    default:
      return message ?? 'is not valid'
  }
}
