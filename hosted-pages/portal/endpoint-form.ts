import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Visit } from './visit.ts'

/** Which notifications an endpoint gets; none ticked means all, those to come among them. */
export const typeTicks = ({ say }: Visit, types: readonly string[], ticked: readonly string[]): Html => html`
<fieldset class="field ticks"><legend>${say('hooksTypes')}</legend>
${types.map(
  type =>
    html`<label><input type="checkbox" name="types" value="${type}"${ticked.includes(type) ? html` checked` : ''}> <code>${type}</code></label>`,
)}
<span class="hint">${say('hooksTypesHint')}</span></fieldset>`
