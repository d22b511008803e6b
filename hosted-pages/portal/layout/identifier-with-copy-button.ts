import { html } from 'hono/html'
import { icon } from '../../icons.ts'
import type { Html } from '../../layout.ts'

type More = { href?: string; shown?: string }

/** Returns the HTML of an identifier with a button that copies it in full; a link where `href` is given. */
export const identifier = (value: string, { href, shown = value }: More = {}): Html =>
  html`<span class="identifier">${href ? html`<a class="${classOf(value, shown)}" href="${href}">${shown}</a>` : html`<code class="${classOf(value, shown)}">${shown}</code>`}${copyButton(value)}</span>`

const classOf = (value: string, shown: string): string => (shown === value ? 'id' : 'id whole')

/** Returns the HTML of a button that copies a text; hidden where no script runs. */
export const copyButton = (value: string): Html =>
  html`<button class="copy" type="button" data-copy="${value}" data-done="Copied" data-testid="portal-copy">${icon('copy')}<span class="unseen">Copy the code</span></button>`
