import fc from 'fast-check'
import { editedText } from './edited-text.ts'
import { HOSTILE_JSON_VALUES, HOSTILE_MEMBER_NAMES } from './hostile-values.ts'

/** JSON syntax tree: a leaf is its text, and an object may repeat a member name. */
type Tree = string | { list: Tree[] } | { members: [name: string, value: Tree][] }

const treeOf = (value: unknown): Tree => {
  if (Array.isArray(value)) return { list: value.map(treeOf) }
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  return { members: Object.entries(value).map(([name, member]) => [name, treeOf(member)]) }
}

const written = (tree: Tree): string => {
  if (typeof tree === 'string') return tree
  if ('list' in tree) return `[${tree.list.map(written).join()}]`
  return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join()}}`
}

const ACTS = ['put', 'drop', 'add', 'twice', 'rename', 'wrap'] as const

export type JsonEdit = { way: number[]; act: (typeof ACTS)[number]; value: string; name: string }

/** Creates the arbitrary (fast-check) of edits of JSON at one or more places, for fuzz targets. */
export const jsonEdits = (values: readonly string[] = [], names: readonly string[] = []): fc.Arbitrary<JsonEdit[]> =>
  fc.array(
    fc.record({
      way: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
      act: fc.constantFrom(...ACTS),
      value: fc.oneof(
        fc.constantFrom(...HOSTILE_JSON_VALUES, ...values),
        fc.string({ unit: 'binary', maxLength: 6 }).map(text => JSON.stringify(text)),
      ),
      name: fc.constantFrom(...HOSTILE_MEMBER_NAMES, ...names),
    }),
    { maxLength: 3 },
  )

/** Applies one edit at the end of a path; a path that is too long ends at the leaf. */
const edit = (tree: Tree, { way, ...rest }: JsonEdit): Tree => {
  const [step = 0, ...further] = way
  if (typeof tree === 'string') return rest.value
  const slots = 'list' in tree ? tree.list : tree.members
  const at = step % Math.max(slots.length, 1)
  const child = 'list' in tree ? tree.list[at] : tree.members[at]?.[1]
  const goesOn = further.length > 0 && child !== undefined && typeof child !== 'string'
  const now = goesOn ? [edit(child, { way: further, ...rest })] : acted(child, rest)
  if ('list' in tree) return { list: tree.list.toSpliced(at, 1, ...now) }
  const name = tree.members[at]?.[0] ?? rest.name
  const names = goesOn ? [name] : namesFor(rest, name)
  return {
    members: tree.members.toSpliced(at, 1, ...now.map((value, index): [string, Tree] => [names[index] ?? name, value])),
  }
}

const acted = (child: Tree | undefined, { act, value }: Omit<JsonEdit, 'way'>): Tree[] => {
  const kept = child === undefined ? [] : [child]
  if (act === 'drop') return []
  if (act === 'add' || act === 'twice') return [...kept, value]
  if (act === 'rename') return kept
  return act === 'wrap' ? [{ list: kept }] : [value]
}

const namesFor = ({ act, name: other }: Omit<JsonEdit, 'way'>, name: string): string[] =>
  act === 'add' ? [name, other] : act === 'rename' ? [other] : [name, name]

/** Serializes a value as JSON with edits. */
export const jsonWith = (value: unknown, edits: readonly JsonEdit[]): string =>
  written(edits.reduce(edit, treeOf(value)))

/**
 * Creates the arbitrary (fast-check) of JSON near-misses of these values: other members, other values, or invalid JSON.
 */
export const editedJson = (
  samples: readonly unknown[],
  values: readonly string[] = [],
  names: readonly string[] = [],
): fc.Arbitrary<string> => {
  const shaped = fc
    .tuple(fc.constantFrom(...samples), jsonEdits(values, names))
    .map(([sample, list]) => jsonWith(sample, list))
  const broken = editedText(samples.map(sample => JSON.stringify(sample)))
  return fc.oneof({ weight: 5, arbitrary: shaped }, { weight: 1, arbitrary: broken })
}
