import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { Say } from '../../texts.ts'
import type { LabView, RowView } from './lab-port.ts'

type Base = LabView['base']

/** Both bases side by side, line by line; where two lines part, what differs is lit. */
export const baseTable = (say: Say, { rows, source, difference }: Base): Html => {
  if (source === undefined || !difference) return oneBase(say, rows, source !== undefined)
  const signed = say(source === 'given' ? 'labGiven' : 'labSigned')
  return html`
<p class="note" data-testid="lab-difference">${say('labDifference', texts(difference))}</p>
<table class="bases" data-testid="lab-bases">
<thead><tr><th scope="col"><span class="unseen">#</span></th><th scope="col">${say('labExpected')}</th><th scope="col">${signed}</th></tr></thead>
<tbody>
${rows.map((row, index) => pairOf(say, row, index, signed))}
</tbody></table>`
}

/** One base alone: the two are the same, or the other one is not known. */
const oneBase = (say: Say, rows: readonly RowView[], isSame: boolean): Html => html`
<p class="note" data-testid="lab-difference">${say(isSame ? 'labSame' : 'labOnlyExpected')}</p>
<table class="bases alone" data-testid="lab-bases">
<thead><tr><th scope="col"><span class="unseen">#</span></th><th scope="col">${say('labExpected')}</th></tr></thead>
<tbody>
${rows.map(({ expected = '' }, index) => html`<tr><th scope="row">${index + 1}</th><td><code>${signs(expected)}</code></td></tr>`)}
</tbody></table>`

const pairOf = (say: Say, { expected, signed, at }: RowView, index: number, title: string): Html => {
  const differs = expected !== signed
  const [left, right] = lit(expected, signed, at)
  const missing = html`<i class="quiet">${say('labNoLine')}</i>`
  return html`<tr class="${differs ? 'differs' : ''}"${differs ? html` data-testid="lab-differs"` : ''}><th scope="row">${index + 1}</th>
<td class="expected" data-label="${say('labExpected')}">${left ?? missing}</td><td class="signed" data-label="${title}">${right ?? missing}</td></tr>
`
}

/** Two lines with what they do not have in common marked; of a line alone all is marked. */
const lit = (a: string | undefined, b: string | undefined, at: number | undefined): (Html | undefined)[] => {
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

/** Where only the other side has something there is a gap, as wide as a hair. */
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

/** A text in which what cannot be seen has a sign. */
const signs = (text: string): Html[] => {
  const seen = text.trimEnd()
  return [...seen.split(/([\r\n\t\0\uFEFF\u00A0\u200B]|^ )/), ...text.slice(seen.length)]
    .filter(part => part !== '')
    .map(part => {
      const sign = part === ' ' ? '·' : SIGNS[part]
      return sign === undefined ? html`${part}` : html`<i class="sign">${sign}</i>`
    })
}

const texts = (numbers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]))
