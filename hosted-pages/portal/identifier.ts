import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import type { Say } from '../texts.ts'

type More = { href?: string; shown?: string }

/** Something to be typed in elsewhere, letter by letter the same, with a button that copies it: whole, however it is shown. */
export const identifier = (say: Say, value: string, { href, shown = value }: More = {}): Html =>
  html`<span class="identifier">${href ? html`<a class="id" href="${href}">${shown}</a>` : html`<code class="id">${shown}</code>`}${copyButton(say, value)}</span>`

/** Copies a text; it is there only where the script runs. */
export const copyButton = (say: Say, value: string): Html =>
  html`<button class="copy" type="button" hidden data-copy="${value}" data-done="${say('copied')}" data-testid="portal-copy">${icon('copy')}<span class="unseen" aria-live="polite">${say('copy')}</span></button>`
