import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { choice, confirmedForm, field } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'

/** A webhook endpoint as the portal shows it; times are epoch milliseconds on the organization's clock. */
export type EndpointView = {
  endpointId: string
  url: string
  /** The types of notifications it receives; undefined means all. */
  types?: readonly string[]
  /** The newest first. */
  secrets: readonly { secret: string; until?: number }[]
  disabled?: { at: number; reason: string }
  /** The newest attempt, where it was not acknowledged. */
  failing?: { deliveryId: string }
}

/** Returns the HTML check boxes of notification types; none checked means all, future types included. */
export const typeBoxes = (types: readonly string[], checked: readonly string[]): Html => html`
<fieldset class="field ticks"><legend>Types</legend>
${types.map(
  type =>
    html`<label><input type="checkbox" name="types" value="${type}"${checked.includes(type) ? html` checked` : ''}> <code>${type}</code></label>`,
)}
<span class="hint">None ticked means all of them.</span></fieldset>`

/** Returns the portal's forms that change an endpoint, rotate its secret, replay deliveries to it and delete it. */
export const endpointForms = (
  context: PageRequestData,
  endpoint: EndpointView,
  types: readonly string[],
  here: string,
): Html => {
  const { typed } = context
  const isChanged = typed.url !== undefined
  return html`
<details class="form-details"${isChanged ? html` open` : ''}><summary data-testid="open-change-endpoint">Change address or types</summary>
<form class="panel" method="post" action="${here}/change">
${field(context, { name: 'url', label: 'Address', value: endpoint.url, isNeeded: true })}
${typeBoxes(types, (isChanged ? context.types : endpoint.types) ?? [])}
<button class="button" data-testid="change-endpoint">Save</button>
</form></details>
<details class="form-details"><summary data-testid="open-rotate-secret">Rotate the secret</summary>
<form class="panel" method="post" action="${here}/rotate">
<p>A new secret signs from now on; the old one signs beside it until the overlap ends.</p>
${choice(context, {
  name: 'overlap',
  label: 'Overlap',
  chosen: typed.overlap ?? 'PT24H',
  options: [
    ['PT24H', '24 hours'],
    ['PT1H', '1 hour'],
    ['PT0S', 'none: the old one ends at once'],
  ],
})}
<button class="button" data-testid="rotate-secret">Rotate the secret</button>
</form></details>
${endpoint.disabled ? '' : replayForm(context, here)}
${confirmedForm(
  'Delete the endpoint',
  'What waits to be sent there is dropped.',
  html`<form method="post" action="${here}/delete"><button class="button danger" data-testid="delete-endpoint">Delete it</button></form>`,
)}`
}

const replayForm = (context: PageRequestData, here: string): Html => html`
<details class="form-details"><summary data-testid="open-replay">Send once more what was due</summary>
<form class="panel" method="post" action="${here}/replay">
<p>Every notification of its types from that time goes out again, now.</p>
${choice(context, {
  name: 'last',
  label: 'Of the last',
  chosen: context.typed.last ?? '',
  options: [
    ['PT1H', '1 hour'],
    ['PT24H', '24 hours'],
    ['P7D', '7 days'],
  ],
})}
<button class="button" data-testid="replay">Replay</button>
</form></details>`
