import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { BaseRow, Diagnosis } from './diagnosis-types.ts'

type Base = Diagnosis['base']

/** Renders the HTML table of the expected and the signed signature base, line by line, with the differences marked. */
export const signatureBaseTable = ({ rows, source, difference }: Base): Html => {
  if (source === undefined || !difference) return oneBase(rows, source !== undefined)
  const signed = source === 'given' ? 'What your client built' : 'What was signed'
  return html`
<p class="note" data-testid="lab-difference">They part in line ${difference.line}, character ${difference.column} (byte ${difference.byte}).</p>
<table class="bases" data-testid="lab-bases">
<thead><tr><th scope="col"><span class="unseen">#</span></th><th scope="col">Expected</th><th scope="col">${signed}</th></tr></thead>
<tbody>
${rows.map((row, index) => pairOf(row, index, signed))}
</tbody></table>`
}

/** Returns one signature base alone, where both are the same or the other is unknown. */
const oneBase = (rows: readonly BaseRow[], isSame: boolean): Html => html`
<p class="note" data-testid="lab-difference">${isSame ? 'The base that was signed is the expected one, byte for byte.' : 'What was signed was not found out: compare this with what your client builds.'}</p>
<table class="bases alone" data-testid="lab-bases">
<thead><tr><th scope="col"><span class="unseen">#</span></th><th scope="col">Expected</th></tr></thead>
<tbody>
${rows.map(({ expected = '' }, index) => html`<tr><th scope="row">${index + 1}</th><td><code>${signs(expected)}</code></td></tr>`)}
</tbody></table>`

const pairOf = ({ expected, signed, at }: BaseRow, index: number, title: string): Html => {
  const differs = expected !== signed
  const [left, right] = markedPair(expected, signed, at)
  const missing = html`<i class="quiet">no such line</i>`
  return html`<tr class="${differs ? 'differs' : ''}"${differs ? html` data-testid="lab-differs"` : ''}><th scope="row">${index + 1}</th>
<td class="expected" data-label="Expected">${left ?? missing}</td><td class="signed" data-label="${title}">${right ?? missing}</td></tr>
`
}

/** Returns two lines of the bases with their differences marked; a line without a counterpart is marked whole. */
const markedPair = (a: string | undefined, b: string | undefined, at: number | undefined): (Html | undefined)[] => {
  if (a === undefined || b === undefined || at === undefined)
    return [a, b].map(line =>
      line === undefined ? undefined : html`<code>${a === b ? signs(line) : html`<mark>${signs(line)}</mark>`}</code>`,
    )
  const tail = commonTail(a, b, at)
  return [a, b].map(
    line =>
      html`<code>${signs(line.slice(0, at))}${marked(line.slice(at, line.length - tail))}${signs(line.slice(line.length - tail))}</code>`,
  )
}

/** Returns a marked part of a line; a hairline gap where only the other side has text. */
const marked = (part: string): Html =>
  part === '' ? html`<mark class="gap"></mark>` : html`<mark>${signs(part)}</mark>`

const commonTail = (a: string, b: string, from: number): number => {
  let length = 0
  while (length < Math.min(a.length, b.length) - from && a.at(-1 - length) === b.at(-1 - length)) length += 1
  return length
}

const SIGNS: Readonly<Record<string, string>> = {
  '\r': '␍',
  '\n': '␊',
  '\t': '␉',
  '\0': '␀',
  '\uFEFF': 'BOM',
  '\u00A0': '⍽',
  '\u200B': 'ZWSP',
}

/** Returns a text with visible signs for its invisible characters. */
const signs = (text: string): Html[] => {
  const seen = text.trimEnd()
  return [...seen.split(/([\r\n\t\0\uFEFF\u00A0\u200B]|^ )/), ...text.slice(seen.length)]
    .filter(part => part !== '')
    .map(part => {
      const sign = part === ' ' ? '·' : SIGNS[part]
      return sign === undefined ? html`${part}` : html`<i class="sign">${sign}</i>`
    })
}
