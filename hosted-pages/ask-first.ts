import { html } from 'hono/html'
import type { Html } from './layout.ts'

/**
 * Returns the HTML of a form behind a second click and a warning, for what a shopper cannot undo; works without a
 * script.
 */
export const askFirst = (summary: Html, warning: string, form: Html): Html => html`
<details class="ask-first">${summary}<div><p>${warning}</p>${form}</div></details>`
