import { readFileSync } from 'node:fs'
import { type Document, isMap, isNode, isSeq, LineCounter, type Pair, parseDocument, visit } from 'yaml'
import { checkSense } from './check-sense.ts'
import type { CheckShape, Remark } from './check-shape.ts'
import type { ScenarioEntry } from './entry.ts'

/** Something in a scenario file that cannot stay as it is: where it is, and a sentence with the cure. */
export type Mistake = { file: string; line: number; column: number; sentence: string }

/** An entry with the place of each of its members. */
export type PlacedEntry = { entry: ScenarioEntry; at(member: 'name' | 'magic', sentence: string): Mistake }

export type FileRead = { entries: readonly PlacedEntry[]; mistakes: readonly Mistake[] }

/** Reads a scenario file (2.7); without `checkShape` its content is trusted, as that of the built-in files is. */
export const readScenarioFile = (file: string, checkShape?: CheckShape): FileRead => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const sentence = `The file cannot be read (${(error as NodeJS.ErrnoException).code}): let whoever runs this read it.`
    return { entries: [], mistakes: [{ file, line: 1, column: 1, sentence }] }
  }
  return readScenarios(file, text, checkShape)
}

/** The same of a text. */
export const readScenarios = (file: string, text: string, checkShape?: CheckShape): FileRead => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, logLevel: 'error' })
  const place = (offset: number, sentence: string): Mistake => {
    const { line, col } = lineCounter.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), sentence }
  }
  const unread = unreadable(document)
  if (unread) return { entries: [], mistakes: [place(unread.offset, unread.sentence)] }
  const mistakeOf = (remark: Remark): Mistake => place(offsetOf(document, remark), remark.sentence)
  const content: unknown = document.toJS()
  const ill = checkShape?.(content) ?? []
  if (ill.length > 0) return { entries: [], mistakes: inOrder(ill.map(mistakeOf)) }
  const { scenarios } = content as { scenarios: readonly ScenarioEntry[] }
  const placed = scenarios.map((entry, index) => {
    const way = ['scenarios', String(index)]
    const remarks = checkShape ? checkSense(entry) : []
    return {
      entry,
      at: (member: string, sentence: string) => mistakeOf({ path: [...way, member], sentence }),
      mistakes: remarks.map(remark => mistakeOf({ ...remark, path: [...way, ...remark.path] })),
    }
  })
  return { entries: placed, mistakes: inOrder(placed.flatMap(({ mistakes }) => mistakes)) }
}

const inOrder = (mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column)

/** Why a text is no YAML that we take: scenarios are data, so nothing in it may stand for something else. */
const unreadable = (document: Document): { offset: number; sentence: string } | undefined => {
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const [saying = ''] = error.message.split(/ at line \d|:?\n/)
    return { offset: error.pos[0], sentence: `This cannot be read as YAML: ${saying.replace(/[.:]$/, '')}.` }
  }
  let alias: number | undefined
  visit(document, {
    Alias: (_key, node) => {
      alias = node.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return alias === undefined ? undefined : { offset: alias, sentence: 'An alias stands here: write out what it means.' }
}

/** Where a remark belongs: the deepest part of its way that is there. */
const offsetOf = ({ contents }: Document, { path, key }: Remark): number => {
  let node: unknown = contents
  let offset = isNode(contents) ? (contents.range?.[0] ?? 0) : 0
  for (const [depth, name] of path.entries()) {
    const pair = isMap(node) ? node.items.find(item => nameOf(item) === name) : undefined
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(name)] : undefined
    const told = key && depth === path.length - 1 ? pair?.key : (next ?? pair?.key)
    if (!isNode(told)) break
    offset = told.range?.[0] ?? offset
    node = next
  }
  return offset
}

const nameOf = ({ key }: Pair): string => String(isNode(key) ? key.toJSON() : key)
