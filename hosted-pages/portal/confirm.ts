import { html } from 'hono/html'
import type { Html } from '../layout.ts'

/** A press that cannot be taken back asks for a second one; without any script. */
export const confirm = (ask: string, warning: string, form: Html): Html => html`
<details class="confirm"><summary>${ask}</summary><div><p>${warning}</p>${form}</div></details>`
