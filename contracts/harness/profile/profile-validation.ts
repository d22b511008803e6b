import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { switchableDecisions, switchValues } from '../../dialect/decision-choices.ts'
import { nearestDecision, readDecisions } from '../../read-decisions-table.ts'
import { createAjv } from '../../schema/create-schema-validator.ts'
import { describeErrorAndValue, errorPath, specificErrors } from '../../schema/describe-schema-error.ts'
import { operationPathIssues } from './operation-path-issues.ts'
import schema from './profile.schema.json' with { type: 'json' }
import type { Profile } from './profile.ts'
import { type MemberLines, type ProfileIssue, unknownMemberNames } from './unknown-member-names.ts'

type Part = 'profile' | 'dialect'
const validators = new Map<Part, ValidateFunction>()

/** The schema's validator, compiled once it is needed: a sandbox that speaks no dialect starts without. */
const validatorOf = (part: Part): ValidateFunction => {
  const compiled = validators.get(part)
  if (compiled) return compiled
  // A file of which only the dialect is read needs no target and no credentials.
  const { required: _, ...withoutRequired } = schema
  const validate = createAjv({ allErrors: true, verbose: true }).compile(part === 'dialect' ? withoutRequired : schema)
  validators.set(part, validate)
  return validate
}

/**
 * Finds the errors of a parsed profile: those of its schema, deepest path first; if there are none, ambiguous words,
 * unknown members, paths that lead nowhere and unknown decisions.
 */
export const findProfileIssues = (data: unknown, { isDialect = false } = {}): ProfileIssue[] => {
  const validate = validatorOf(isDialect ? 'dialect' : 'profile')
  if (validate(data))
    return [
      ...ambiguousValues(data as WordTables),
      ...unknownMemberNames(data as MemberLines),
      ...operationPathIssues(data as Pick<Profile, 'paths'>),
      ...unknownDecisions(data as Confirmation),
      ...unknownChoices(data as Choices),
    ]
  const issues = specificErrors(validate.errors).map(toIssue)
  return issues.sort((a, b) => b.path.length - a.path.length)
}

type WordTables = { enums?: Record<string, Record<string, string>> }

/** Finds values of `enums` that would mean two things, which makes reading them back ambiguous. */
const ambiguousValues = ({ enums = {} }: WordTables): ProfileIssue[] => {
  const all = Object.entries(enums).flatMap(([name, words]) =>
    Object.entries(words).map(([ours, theirs]) => ({ path: ['enums', name, ours], scope: name, word: theirs })),
  )
  return all.flatMap(({ path, scope, word }, index) => {
    const first = all.findIndex(other => other.scope === scope && other.word === word)
    if (first === index) return []
    return [
      { path, message: `${path.join('.')} is "${word}", as is ${all[first]?.path.join('.')}: a word means one thing` },
    ]
  })
}

type Confirmation = Pick<Profile, 'confirmed'>

/** Finds confirmed decisions that do not exist. */
const unknownDecisions = ({ confirmed = [] }: Confirmation): ProfileIssue[] => {
  if (confirmed === 'all' || confirmed.length === 0) return []
  const known = new Set(readDecisions().map(({ number }) => number))
  return confirmed.flatMap((number, index) => {
    if (known.has(number)) return []
    const path = ['confirmed', String(index)]
    return [
      {
        path,
        message: `${path.join('.')} is "${number}", which is no decision: the nearest is ${nearestDecision(number)}`,
      },
    ]
  })
}

type Choices = { decisions?: Readonly<Record<string, string>> }

/** Finds decisions that no profile can switch, and values that they do not have. */
const unknownChoices = ({ decisions = {} }: Choices): ProfileIssue[] =>
  Object.entries(decisions).flatMap(([number, value]) => {
    const path = ['decisions', number]
    const values: readonly string[] | undefined = switchValues(number)
    if (values?.includes(value)) return []
    const message =
      values === undefined
        ? `${path.join('.')} cannot be switched: ${switchableDecisions().join(', ')} can`
        : `${path.join('.')} is "${value}": give ${values.map(one => `"${one}"`).join(' or ')}`
    return [{ path, message }]
  })

/** Returns the example value from the schema for a dotted path of a profile; undefined where it has none. */
export const profileExample = (path: string): unknown => {
  const node = path.split('.').reduce<Node | undefined>((part, name) => part?.properties?.[name], schema as Node)
  return node?.examples?.[0]
}

type Node = { properties?: Record<string, Node>; examples?: unknown[] }

const toIssue = (error: ErrorObject): ProfileIssue => {
  const path = errorPath(error)
  return { path, message: `${path.join('.') || 'the profile'} ${describeErrorAndValue(error)}` }
}
