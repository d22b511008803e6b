import ts from 'typescript'
import { readSource, sourceFiles } from '../architecture/read-source-files.ts'

export type SourceRegex = { where: string; source: string; flags: string }

/** Finds the regular expression literals of the source files in some folders, with their position. */
export const findSourceRegexes = (folders: string): SourceRegex[] =>
  sourceFiles(folders)
    .filter(file => !file.endsWith('.css'))
    .flatMap(file => {
      const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true)
      const found: SourceRegex[] = []
      const walk = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
          const text = node.getText()
          const end = text.lastIndexOf('/')
          const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
          found.push({ where: `${file}:${line + 1}`, source: text.slice(1, end), flags: text.slice(end + 1) })
        }
        ts.forEachChild(node, walk)
      }
      walk(tree)
      return found
    })

const CLASSES: Readonly<Record<string, string>> = { d: '0', w: 'a0_', s: ' \t\n', D: 'a', W: '-', S: 'a' }
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '', B: '' }

/** Characters to attack an expression with: one of each class and literal in it, and some others. */
const lettersOf = (source: string): string[] => {
  const told = [...source.matchAll(/\\([dwsDWS])|\\(.)|([^\\()[\]{}|*+?^$])/g)].map(
    ([, kind, escaped, plain]) => (kind ? CLASSES[kind] : escaped ? (ESCAPED[escaped] ?? escaped) : plain) ?? '',
  )
  return [...new Set(`${told.join('')}a0 "\\`)].slice(0, 24)
}

/** Literal words in an expression. */
const wordsOf = (source: string): string[] => {
  const whole = source.replace(/\[[^\]]*\]|\(\?[:=!<]+|\\[dwsDWSbB\d]|[()|*+?^$]/g, '').replace(/\\/g, '')
  const pieces = [...source.matchAll(/(?:[\w":=;@<]|\\?-){2,}/g)].map(([word]) => word.replace(/\\/g, ''))
  return [...new Set([whole, ...pieces])].filter(word => word !== '').slice(0, 6)
}

/**
 * Creates texts of one length that attack a regular expression: repetitions of its characters, pairs of them and its
 * words.
 */
export const attackTexts = (source: string, length: number): string[] => {
  const letters = lettersOf(source)
  const words = wordsOf(source)
  const beginnings = ['', ...words]
  const pairs = letters.flatMap(one => letters.map(other => one + other))
  const mixed = words.flatMap(word => ['', ...letters].map(letter => word + letter))
  const begun = [...letters, ...words].flatMap(unit => beginnings.map(beginning => [beginning, unit]))
  const all = [...begun, ...[...pairs, ...mixed].map(unit => ['', unit])]
  const late = letters.map(letter => ['\u0001', letter]) // a run that does not begin the text, where an anchor would end it
  return [...all, ...late].map(
    ([beginning = '', unit = '']) => `${beginning}${unit.repeat(Math.ceil(length / unit.length))}\u0001`,
  )
}
