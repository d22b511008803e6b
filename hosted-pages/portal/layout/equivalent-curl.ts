import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { PageRequestData } from './control-address-and-form-outcome.ts'
import { copyButton } from './identifier-with-copy-button.ts'

type ControlCall = { method?: string; path: string; body?: unknown }

/**
 * Returns the HTML of a fold-out with the curl lines that do the action of a portal page, or its actions, through the
 * control API.
 */
export const equivalentCurl = (
  context: PageRequestData,
  calls: ControlCall | readonly ControlCall[],
  isOpen = false,
): Html => html`
<details class="curl"${isOpen ? html` open` : ''}><summary>The same from a terminal</summary>
${[calls].flat().map(call => curlLine(curlOf(context, call)))}</details>`

const curlLine = (line: string): Html =>
  html`<div class="line"><code>${line}</code>${copyButton('the curl command', line)}</div>`

const curlOf = ({ origin, withToken }: PageRequestData, { method = 'GET', path, body }: ControlCall): string =>
  [
    'curl',
    method === 'GET' ? '' : method === 'POST' && body !== undefined ? '' : `-X ${method}`,
    withToken ? '-H "Authorization: Bearer $ASSAY_CONTROL_TOKEN"' : '',
    shellQuoted(`${origin}${path}`),
    body === undefined ? '' : `-d ${shellQuoted(JSON.stringify(body))}`,
  ]
    .filter(part => part !== '')
    .join(' ')

/** Quotes a text for a shell: bare where it can be, else in single quotes; what a terminal would act on is escaped. */
export const shellQuoted = (text: string): string => {
  if (/^[\w:/.@%=+,-]+$/.test(text)) return text
  if (text.search(INVISIBLE) < 0) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${text.replace(/['\\]/g, '\\$&').replace(INVISIBLE, bytesOf)}'`
}

/** Controls except line ends and tabs, format and bidi marks, separators, half surrogates. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const bytesOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
