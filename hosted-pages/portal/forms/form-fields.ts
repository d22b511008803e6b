import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'

type Field = { name: string; label: string; hint?: string; placeholder?: string; value?: string; isNeeded?: boolean }
type Area = Field & { rows?: number }

/** Returns the HTML of a one-line input of a portal form; after a refused form it holds what was typed. */
export const field = (
  { typed, wrong }: PageRequestData,
  { name, label, hint, placeholder, value, isNeeded }: Field,
  type = 'text',
) => html`
<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${typed[name] ?? value ?? ''}" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${marked(name, wrong)}${described(name, hint)} data-testid="${name}-field">
${hinted(name, hint)}</p>`

/**
 * Returns the HTML of a text area of a portal form; after a refused form it holds what was typed. Browsers drop the
 * line end that begins it.
 */
export const area = (
  { typed, wrong }: PageRequestData,
  { name, label, hint, placeholder, value, isNeeded, rows = 6 }: Area,
): Html => html`
<p class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${marked(name, wrong)}${described(name, hint)} data-testid="${name}-field">
${typed[name] ?? value ?? ''}</textarea>
${hinted(name, hint)}</p>`

type Choice = {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen?: string
}

/** Returns the HTML of a drop-down of options in a portal form. */
export const choice = ({ name, label, options, chosen = '' }: Choice): Html => html`
<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}" data-testid="${name}-field">${options.map(
  ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
)}</select></p>`

const marked = (name: string, wrong: string | undefined) => (name === wrong ? html` aria-invalid="true"` : '')
const described = (name: string, hint: string | undefined) => (hint ? html` aria-describedby="${name}-hint"` : '')
const hinted = (name: string, hint: string | undefined) =>
  hint && html`<span class="hint" id="${name}-hint">${hint}</span>`

/**
 * Returns the HTML of a form behind a second click and a warning, for what cannot be undone; works without a script.
 */
export const confirmedForm = (label: string, warning: string, form: Html): Html => html`
<details class="confirm"><summary>${label}</summary><div><p>${warning}</p>${form}</div></details>`
