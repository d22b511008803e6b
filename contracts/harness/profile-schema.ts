import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import schema from './profile.schema.json' with { type: 'json' }

const validate = new Ajv2020({ allErrors: true, verbose: true }).compile(schema)

export type ProfileFault = { path: string[]; message: string }

/** What is wrong with a profile, the deepest fault first: that is the one a person meant to write. */
export const profileFaults = (data: unknown): ProfileFault[] => {
  if (validate(data)) return twofold(data as Words)
  const faults = (validate.errors ?? []).filter(error => error.keyword !== 'if').map(faultOf)
  return faults.sort((a, b) => b.path.length - a.path.length)
}

type Words = {
  enums?: Record<string, Record<string, string>>
  states?: Record<string, readonly string[]>
}

/** Words that would mean two things: what reads them back could not tell which. */
const twofold = ({ enums = {}, states = {} }: Words): ProfileFault[] => {
  const spelt = Object.entries(enums).flatMap(([name, words]) =>
    Object.entries(words).map(([ours, theirs]) => ({ path: ['enums', name, ours], scope: name, word: theirs })),
  )
  const staged = Object.entries(states).flatMap(([stage, words]) =>
    words.map((word, index) => ({ path: ['states', stage, String(index)], scope: 'states', word })),
  )
  const all = [...spelt, ...staged]
  return all.flatMap(({ path, scope, word }, index) => {
    const first = all.findIndex(other => other.scope === scope && other.word === word)
    if (first === index) return []
    return [
      { path, message: `${path.join('.')} is "${word}", as is ${all[first]?.path.join('.')}: a word means one thing` },
    ]
  })
}

/** An example of what may stand at a dotted path of a profile. */
export const exampleOf = (path: string): unknown => {
  const node = path.split('.').reduce<Node | undefined>((part, name) => part?.properties?.[name], schema as Node)
  return node?.examples?.[0]
}

type Node = { properties?: Record<string, Node>; examples?: unknown[] }

const faultOf = ({ instancePath, keyword, params, message, data, parentSchema }: ErrorObject): ProfileFault => {
  const path = instancePath.split('/').slice(1)
  const name = path.join('.') || 'the profile'
  if (keyword === 'additionalProperties')
    return { path: [...path, params.additionalProperty], message: `${name} knows no "${params.additionalProperty}"` }
  if (keyword === 'required') return { path, message: `${name} has no ${params.missingProperty}` }
  if (keyword === 'enum') return { path, message: `${name} must be one of ${params.allowedValues.join(', ')}` }
  if (String(params.pattern).startsWith('^(env|file)'))
    return { path, message: `${name} must be env:NAME or file:PATH, so that no secret stands in a profile` }
  if (keyword === 'pattern' && parentSchema?.description)
    return { path, message: `${name} must be ${parentSchema.description}, not ${shown(data)}` }
  return { path, message: `${name} ${message}, not ${shown(data)}` }
}

const LONGEST = 60

/** As much of a text as one line of advice bears. */
export const cut = (text: string, longest = LONGEST): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

/** A value as it was written, or its beginning. */
const shown = (data: unknown): string => {
  const text =
    data !== null && typeof data === 'object' ? (Array.isArray(data) ? 'a list' : 'an object') : JSON.stringify(data)
  return cut(text)
}
