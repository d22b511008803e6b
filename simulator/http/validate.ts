import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse as parseYaml } from 'yaml'
import { Refusal } from '../refusal.ts'
import { clip } from './clip.ts'

/** Deeper nesting serves no request of the contract and only strains what walks it. */
const DEEPEST = 32
/** Nobody mends more faults than these at a time. */
const MOST_FIELDS = 20

export type Validate = (schema: string, value: unknown) => void

/** Judges requests by the schemas of the API description, each compiled when it is first needed. */
export const createValidate = (): Validate => {
  const { components } = parseYaml(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))
  const ajv = new Ajv2020({ allErrors: true, strict: true })
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

/** Reads a JSON object from a body, or refuses with what is wrong with it (7.1: 400). */
export const parseJson = (body: Buffer, contentType: string | undefined): object => {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) throw invalid('Content-Type must be application/json.')
  if (body.length === 0) throw invalid('The body is empty: send a JSON object.')
  const value = decode(body)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('The body must be a JSON object.')
  if (isDeeperThan(DEEPEST, value)) throw invalid(`The body is nested deeper than ${DEEPEST} levels.`)
  return value
}

const invalid = (message: string): Refusal => new Refusal('INVALID_INPUT', 'validation', message)

const decode = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw invalid(error instanceof SyntaxError ? `The body is not JSON: ${error.message}.` : 'The body is not UTF-8.')
  }
}

const isDeeperThan = (depth: number, value: unknown): boolean => {
  let level: unknown[] = [value]
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached > depth) return true
    level = level.flatMap(item => (item !== null && typeof item === 'object' ? Object.values(item) : []))
  }
  return false
}

/** The first complaint about each field, by its dotted path; complaints that only sum up others are left out. */
const fieldsOf = (faults: readonly ErrorObject[]): Record<string, string> => {
  const telling = faults.filter(({ keyword }) => keyword !== 'if' && keyword !== 'allOf')
  const fields: Record<string, string> = {}
  for (const fault of telling) {
    fields[pathOf(fault)] ??= sayingOf(fault)
    if (Object.keys(fields).length >= MOST_FIELDS) break
  }
  return fields
}

const pathOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath
    .split('/')
    .slice(1)
    .map(part => clip(part.replaceAll('~1', '/').replaceAll('~0', '~')))
  if (keyword === 'required') path.push(String(params.missingProperty))
  return path.join('.') || 'body'
}

const sayingOf = ({ keyword, params, message }: ErrorObject): string => {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return message ?? 'is not valid'
  }
}
