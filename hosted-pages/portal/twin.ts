import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { copyButton } from './identifier.ts'
import type { Visit } from './visit.ts'

export type Twin = { method?: string; path: string; body?: unknown }

/** The same thing asked of control: a line for the terminal that works as it is. */
export const twin = (visit: Visit, call: Twin, isOpen = false): Html => {
  const line = curlOf(visit, call)
  return html`
<details class="twin"${isOpen ? html` open` : ''}><summary>${visit.say('byHand')}</summary>
<div class="line"><code>${line}</code>${copyButton(visit.say, line)}</div></details>`
}

const curlOf = ({ origin, withToken }: Visit, { method = 'GET', path, body }: Twin): string =>
  [
    'curl',
    method === 'GET' ? '' : method === 'POST' && body !== undefined ? '' : `-X ${method}`,
    withToken ? '-H "Authorization: Bearer $ASSAY_CONTROL_TOKEN"' : '',
    quoted(`${origin}${path}`),
    body === undefined ? '' : `-d ${quoted(JSON.stringify(body))}`,
  ]
    .filter(part => part !== '')
    .join(' ')

/** Safe for a shell: bare where it can be, else in single quotes. */
const quoted = (text: string): string => (/^[\w:/.@%=+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
