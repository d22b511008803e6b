import type { SeededCallRandom } from './seeded-call-random.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Unknown members that variation adds to JSON responses: in no version of the contract, as a test checks. */
export const UNKNOWN_MEMBERS: Readonly<Record<string, Json>> = {
  addedLater: 'ignore me (9)',
  hint: { level: 'info', tags: ['variety', 'x'] },
  revision: 7,
  legacy: null,
  experimental: false,
  relatedLinks: [],
  'x-trace-note': 'ä/€ "quoted"',
}

/**
 * Names of objects in responses whose member names are data, so that variation adds none; a test compares them with
 * openapi.yaml.
 */
export const FREE_FORM_OBJECTS: readonly string[] = ['metadata', 'fields', 'capabilities']

/** Varies a JSON response: adds an unknown member to the top-level object, and at random to nested objects (9). */
export const addUnknownMembers = (value: Json, draw: SeededCallRandom, path = ''): Json => {
  if (Array.isArray(value)) return value.map((item, index) => addUnknownMembers(item, draw, `${path}/${index}`))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    FREE_FORM_OBJECTS.includes(name) ? member : addUnknownMembers(member, draw, `${path}/${name}`),
  ])
  if (path === '' || draw(`one more in ${path}`) < 0.5) members.push(extraMember(value, draw(`which in ${path}`)))
  return Object.fromEntries(members)
}

const extraMember = (value: object, drawn: number): [string, Json] => {
  const free = Object.entries(UNKNOWN_MEMBERS).filter(([name]) => !Object.hasOwn(value, name))
  return free[Math.floor(drawn * free.length)] ?? ['oneMore', true]
}

/** Varies a JSON response: reorders the members of every object at random; arrays keep their order. */
export const reorderMembers = (value: Json, draw: SeededCallRandom, path = ''): Json => {
  if (Array.isArray(value)) return value.map((item, index) => reorderMembers(item, draw, `${path}/${index}`))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]): [number, string, Json] => [
    draw(`place of ${path}/${name}`),
    name,
    reorderMembers(member, draw, `${path}/${name}`),
  ])
  return Object.fromEntries(members.sort(([one], [other]) => one - other).map(([, name, member]) => [name, member]))
}

const CASES: readonly ((word: string) => string)[] = [
  word => word.toUpperCase(),
  word => word.charAt(0).toUpperCase() + word.slice(1),
]

/**
 * Varies a response header: writes its name in another case, chosen by a random number: CONTENT-TYPE or Content-Type.
 */
export const changeCase = (name: string, drawn: number): string => {
  const write = CASES[Math.floor(drawn * CASES.length)] ?? String
  return name.split('-').map(write).join('-')
}
