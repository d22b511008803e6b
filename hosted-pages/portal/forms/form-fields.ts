import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { REFUSAL_ID } from './form-message.ts'

type Field = { name: string; label: string; hint?: string; placeholder?: string; value?: string; isNeeded?: boolean }
type Area = Field & { rows?: number }

/**
 * Returns the attributes of a field of the portal that describe it by its hint, where it has one, and, where the form
 * was refused for it, mark it and describe it by the refusal first.
 */
export const fieldState = ({ wrong }: Pick<PageRequestData, 'wrong'>, name: string, hintId?: string): Html => {
  const isWrong = name === wrong
  const describedBy = [...(isWrong ? [REFUSAL_ID] : []), ...(hintId ? [hintId] : [])].join(' ')
  return html`${isWrong ? html` aria-invalid="true"` : ''}${describedBy ? html` aria-describedby="${describedBy}"` : ''}`
}

/** Returns the HTML of a one-line input of a portal form; after a refused form it holds what was typed. */
export const field = (
  context: PageRequestData,
  { name, label, hint, placeholder, value, isNeeded }: Field,
  type = 'text',
) => html`
<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${context.typed[name] ?? value ?? ''}" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${fieldState(context, name, hint && `${name}-hint`)} data-testid="${name}-field">
${hinted(name, hint)}</p>`

/**
 * Returns the HTML of a text area of a portal form; after a refused form it holds what was typed. Browsers drop the
 * line end that begins it.
 */
export const area = (
  context: PageRequestData,
  { name, label, hint, placeholder, value, isNeeded, rows = 6 }: Area,
): Html => html`
<p class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${fieldState(context, name, hint && `${name}-hint`)} data-testid="${name}-field">
${context.typed[name] ?? value ?? ''}</textarea>
${hinted(name, hint)}</p>`

type Choice = {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen?: string
}

/** Returns the HTML of a drop-down of options in a portal form. */
export const choice = (context: PageRequestData, { name, label, options, chosen = '' }: Choice): Html => html`
<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${fieldState(context, name)} data-testid="${name}-field">${options.map(
  ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
)}</select></p>`

const hinted = (name: string, hint: string | undefined) =>
  hint && html`<span class="hint" id="${name}-hint">${hint}</span>`

/**
 * Returns the HTML of a form behind a second click and a warning, for what cannot be undone; works without a script.
 */
export const confirmedForm = (label: string, warning: string, form: Html): Html => html`
<details class="confirm"><summary>${label}</summary><div><p>${warning}</p>${form}</div></details>`
