import type { Draw } from './draw.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Members that no version of the contract has; a test holds that none of its schemas does. */
export const EXTRA_MEMBERS: Readonly<Record<string, Json>> = {
  addedLater: 'ignore me (9)',
  hint: { level: 'info', tags: ['variety', 'x'] },
  revision: 7,
  legacy: null,
  experimental: false,
  relatedLinks: [],
  'x-trace-note': 'ä/€ "quoted"',
}

/** Objects whose member names are data: a member more would say something. A test finds the same in the description. */
export const MAPS: readonly string[] = ['metadata', 'fields', 'capabilities']

/** The same answer with more members, by chance one in every object but always one at the top (9). */
export const addMembers = (value: Json, draw: Draw, path = ''): Json => {
  if (Array.isArray(value)) return value.map((item, index) => addMembers(item, draw, `${path}/${index}`))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    MAPS.includes(name) ? member : addMembers(member, draw, `${path}/${name}`),
  ])
  if (path === '' || draw(`one more in ${path}`) < 0.5) members.push(extraMember(value, draw(`which in ${path}`)))
  return Object.fromEntries(members)
}

const extraMember = (value: object, drawn: number): [string, Json] => {
  const free = Object.entries(EXTRA_MEMBERS).filter(([name]) => !Object.hasOwn(value, name))
  return free[Math.floor(drawn * free.length)] ?? ['oneMore', true]
}

/** The same answer with the members of every object in another order; lists keep theirs. */
export const reorder = (value: Json, draw: Draw, path = ''): Json => {
  if (Array.isArray(value)) return value.map((item, index) => reorder(item, draw, `${path}/${index}`))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]): [number, string, Json] => [
    draw(`place of ${path}/${name}`),
    name,
    reorder(member, draw, `${path}/${name}`),
  ])
  return Object.fromEntries(members.sort(([one], [other]) => one - other).map(([, name, member]) => [name, member]))
}

const CASES: readonly ((word: string) => string)[] = [
  word => word.toUpperCase(),
  word => word.charAt(0).toUpperCase() + word.slice(1),
]

/** A header's name in another case: CONTENT-TYPE or Content-Type. */
export const recase = (name: string, drawn: number): string => {
  const write = CASES[Math.floor(drawn * CASES.length)] ?? String
  return name.split('-').map(write).join('-')
}
