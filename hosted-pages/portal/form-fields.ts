import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Visit } from './visit.ts'

type Field = { name: string; label: string; hint?: string; placeholder?: string; value?: string; isNeeded?: boolean }

/** One line to type in; what was typed before a refusal stands there again. */
export const field = (
  { typed }: Visit,
  { name, label, hint, placeholder, value, isNeeded }: Field,
  type = 'text',
) => html`
<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${typed[name] ?? value ?? ''}" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${described(name, hint)} data-testid="${name}-field">
${hinted(name, hint)}</p>`

/** Several lines to paste in. */
export const area = ({ typed }: Visit, { name, label, hint, placeholder, isNeeded }: Field): Html => html`
<p class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="6" placeholder="${placeholder ?? ''}" autocomplete="off" spellcheck="false"${isNeeded ? html` required` : ''}${described(name, hint)} data-testid="${name}-field">${typed[name] ?? ''}</textarea>
${hinted(name, hint)}</p>`

type Choice = {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
  chosen?: string
}

/** One of several. */
export const choice = ({ name, label, options, chosen = '' }: Choice): Html => html`
<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}" data-testid="${name}-field">${options.map(
  ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
)}</select></p>`

const described = (name: string, hint: string | undefined) => (hint ? html` aria-describedby="${name}-hint"` : '')
const hinted = (name: string, hint: string | undefined) =>
  hint && html`<span class="hint" id="${name}-hint">${hint}</span>`
