import ts from 'typescript'
import { read, sources } from '../tidy/sources.ts'

export type Found = { where: string; source: string; flags: string }

/** Every regular expression that the product's code holds as a literal, with its place. */
export const regexesOf = (folders: string): Found[] =>
  sources(folders)
    .filter(file => !file.endsWith('.css'))
    .flatMap(file => {
      const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
      const found: Found[] = []
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

/** One character of each kind that an expression speaks of, and some that it may not. */
const lettersOf = (source: string): string[] => {
  const told = [...source.matchAll(/\\([dwsDWS])|\\(.)|([^\\()[\]{}|*+?^$])/g)].map(
    ([, kind, escaped, plain]) => (kind ? CLASSES[kind] : escaped ? (ESCAPED[escaped] ?? escaped) : plain) ?? '',
  )
  return [...new Set(`${told.join('')}a0 "\\`)].slice(0, 24)
}

/** What stands in an expression letter by letter, in one piece and in pieces. */
const wordsOf = (source: string): string[] => {
  const whole = source.replace(/\[[^\]]*\]|\(\?[:=!<]+|\\[dwsDWSbB\d]|[()|*+?^$]/g, '').replace(/\\/g, '')
  const pieces = [...source.matchAll(/(?:[\w":=;@<]|\\?-){2,}/g)].map(([word]) => word.replace(/\\/g, ''))
  return [...new Set([whole, ...pieces])].filter(word => word !== '').slice(0, 6)
}

/** Texts of one length that an expression may go astray in: a letter, two, or a word of it, again and again. */
export const attacksOn = (source: string, length: number): string[] => {
  const letters = lettersOf(source)
  const words = wordsOf(source)
  const beginnings = ['', ...words]
  const pairs = letters.flatMap(one => letters.map(other => one + other))
  const mixed = words.flatMap(word => ['', ...letters].map(letter => word + letter))
  const begun = [...letters, ...words].flatMap(unit => beginnings.map(beginning => [beginning, unit]))
  const all = [...begun, ...[...pairs, ...mixed].map(unit => ['', unit])]
  return all.map(([beginning = '', unit = '']) => `${beginning}${unit.repeat(Math.ceil(length / unit.length))}\u0001`)
}
