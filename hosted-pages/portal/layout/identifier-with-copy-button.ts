import { html } from 'hono/html'
import { icon } from '../../icons.ts'
import type { Html } from '../../layout.ts'

type More = { href?: string; shown?: string }

/**
 * Returns the HTML of an identifier with a button that copies it in full; a link where `href` is given. `what` names it
 * in words.
 */
export const identifier = (what: string, value: string, { href, shown = value }: More = {}): Html =>
  html`<span class="identifier">${href ? html`<a class="${classOf(value, shown)}" href="${href}">${shown}</a>` : html`<code class="${classOf(value, shown)}">${shown}</code>`}${copyButton(what, value)}</span>`

const classOf = (value: string, shown: string): string => (shown === value ? 'id' : 'id whole')

/** Returns the HTML of a button that copies a text, which `what` names in words; hidden where no script runs. */
export const copyButton = (what: string, value: string): Html =>
  html`<button class="copy" type="button" data-copy="${value}" data-what="${what}" data-testid="portal-copy">${icon('copy')}<span class="unseen">Copy ${what}</span></button>`
