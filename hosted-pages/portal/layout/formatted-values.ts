import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** Formats a duration for the portal with its two largest units: `1 h 30 min`, `4.5 s`, `12 ms`. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds >= 1_000 && milliseconds < 60_000) return `${Number((milliseconds / 1_000).toFixed(1))} s`
  let left = milliseconds < 1_000 ? Math.round(milliseconds) : 1_000 * Math.round(milliseconds / 1_000)
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, parts[0]?.endsWith('ms') ? 1 : 2).join(' ') || '0 s'
}

/** Formats the time of an organization's clock, which the script of every page lets tick at its rate. */
export const tickingClock = (now: number, rate = 1, testId?: string): Html =>
  html`<time data-clock="${now}" data-rate="${rate}"${testId === undefined ? '' : html` data-testid="${testId}"`}>${secondsOf(now)}</time>`

/** Formats an instant for the portal, to the second, in UTC. */
export const timestamp = (at: number | string): Html => {
  return html`<time datetime="${new Date(at).toISOString()}">${secondsOf(at)}</time>`
}

const secondsOf = (at: number | string): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** Longest text that somebody gave which a column has room for. */
const LONGEST_WHOLE = 40

/**
 * Formats a text that somebody gave, such as a reference, for the portal: its direction does not reach what stands beside
 * it, and a long one breaks where it must.
 */
export const givenText = (text: string): Html =>
  html`<bdi${text.length > LONGEST_WHOLE ? html` class="long"` : ''}>${text}</bdi>`

/** Formats a name of the API, such as PAYMENT_CAPTURE, as code that a narrow column may break between words. */
export const codeName = (name: string): Html => html`<code>${breakable(name)}</code>`

/** Formats a name with line breaks allowed between its words, not set as code. */
export const breakable = (name: string): Html[] =>
  name
    .split(/(?<=[a-z])(?=[A-Z])|(?<=_)|(?<=\.)(?=[a-z])/)
    .map((word, at) => (at === 0 ? html`${word}` : html`<wbr>${word}`))

/** Indents a JSON body for reading; returns any other text as it is. */
export const prettyJson = (body: string): string => {
  if (!/^[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
