import { readFileSync } from 'node:fs'
import { type Document, isMap, isNode, isSeq, LineCounter, type Pair, parseDocument, visit } from 'yaml'
import type { CheckAgainstSchema, ScenarioIssue } from './check-scenario-file-against-schema.ts'
import { checkConsistency } from './find-contradictions-in-scenario.ts'
import type { ScenarioFileEntry } from './scenario-file-entry.ts'

/** A mistake in a scenario file: its position, and a sentence that says how to correct it. */
export type ScenarioMistake = { file: string; line: number; column: number; sentence: string }

/**
 * An entry of a scenario file with its place: a function that reports a mistake at the position of one of its members.
 */
export type PlacedEntry = { entry: ScenarioFileEntry; at(member: 'name' | 'magic', sentence: string): ScenarioMistake }

type ScenarioFileContent = { entries: readonly PlacedEntry[]; mistakes: readonly ScenarioMistake[] }

/** Reads a scenario file (2.7); without `checkShape` its content is trusted, as for the built-in files. */
export const readScenarioFile = (file: string, checkShape?: CheckAgainstSchema): ScenarioFileContent => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const sentence = `The file cannot be read (${(error as NodeJS.ErrnoException).code}): let the user who runs this read it.`
    return { entries: [], mistakes: [{ file, line: 1, column: 1, sentence }] }
  }
  return parseScenarioFile(file, text, checkShape)
}

/** Parses the YAML text of a scenario file, like readScenarioFile. */
export const parseScenarioFile = (file: string, text: string, checkShape?: CheckAgainstSchema): ScenarioFileContent => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, logLevel: 'error' })
  const place = (offset: number, sentence: string): ScenarioMistake => {
    const { line, col } = lineCounter.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), sentence }
  }
  const unread = yamlProblem(document)
  if (unread) return { entries: [], mistakes: [place(unread.offset, unread.sentence)] }
  const mistakeOf = (remark: ScenarioIssue): ScenarioMistake => place(offsetOf(document, remark), remark.sentence)
  const content: unknown = document.toJS()
  const shapeIssues = checkShape?.(content) ?? []
  if (shapeIssues.length > 0) return { entries: [], mistakes: inOrder(shapeIssues.map(mistakeOf)) }
  const { scenarios } = content as { scenarios: readonly ScenarioFileEntry[] }
  const placed = scenarios.map((entry, index) => {
    const way = ['scenarios', String(index)]
    const remarks = checkShape ? checkConsistency(entry) : []
    return {
      entry,
      at: (member: string, sentence: string) => mistakeOf({ path: [...way, member], sentence }),
      mistakes: remarks.map(remark => mistakeOf({ ...remark, path: [...way, ...remark.path] })),
    }
  })
  return { entries: placed, mistakes: inOrder(placed.flatMap(({ mistakes }) => mistakes)) }
}

const inOrder = (mistakes: readonly ScenarioMistake[]): ScenarioMistake[] =>
  mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column)

/** Finds the first reason to reject a YAML document: a syntax error, a warning or an alias. */
const yamlProblem = (document: Document): { offset: number; sentence: string } | undefined => {
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
  return alias === undefined
    ? undefined
    : { offset: alias, sentence: 'An alias is not allowed here: write out its value.' }
}

/** Finds the offset of a schema issue in the YAML text: that of the deepest part of its path that exists. */
const offsetOf = ({ contents }: Document, { path, key }: ScenarioIssue): number => {
  let node: unknown = contents
  let offset = isNode(contents) ? (contents.range?.[0] ?? 0) : 0
  for (const [depth, name] of path.entries()) {
    const pair = isMap(node) ? node.items.find(item => nameOf(item) === name) : undefined
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(name)] : undefined
    const found = key && depth === path.length - 1 ? pair?.key : (next ?? pair?.key)
    if (!isNode(found)) break
    offset = found.range?.[0] ?? offset
    node = next
  }
  return offset
}

const nameOf = ({ key }: Pair): string => String(isNode(key) ? key.toJSON() : key)
