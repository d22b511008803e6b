import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { area, confirmedForm } from '../forms/form-fields.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { scaleOf, validityBar } from './validity-bar.ts'

/** A signing key as the portal lists it; times are ISO 8601 on the organization's clock. */
export type KeyView = {
  keyId: string
  algorithm: string
  registeredAt: string
  expiresAt: string
  deregisteredAt?: string
  state: 'active' | 'expiring' | 'expired' | 'deregistered'
}

const LOOKS = { active: 'good', expiring: 'late', expired: 'idle', deregistered: 'idle' } as const
const MAKE_A_PAIR = 'openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nodes -out signing.pem'
const TAKE_THE_PUBLIC_HALF = 'openssl pkey -in signing.pem -pubout'

/** Returns the HTML table of signing keys with validity bars, and the form to register a key (5.2). */
export function keysSection(
  context: PageRequestData,
  { organizationId, now }: Organization,
  keys: readonly KeyView[],
): Html {
  const scale = scaleOf(keys.map(validityOf), now)
  const rows = keys.map(key => ({
    testId: 'key-row',
    cells: [
      identifier('the key’s id', key.keyId),
      html`<span class="quiet">${key.algorithm.replaceAll('_', '-')}</span>`,
      stateTag(key.state),
      validityBar(validityOf(key), LOOKS[key.state], scale),
      key.state === 'deregistered' ? '' : deregister(organizationId, key),
    ],
  }))
  const body = { publicKey: '-----BEGIN PUBLIC KEY-----\n…' }
  return html`
<section aria-labelledby="keys"><h2 id="keys">Signing keys</h2>
<p class="note">A key signs for twelve months on the clock of the organization. Where bars stand above each other, each of the keys is accepted: rotate in that overlap. The line is now.</p>
<div id="key-list" data-live="keys clock">${keys.length === 0 ? html`<p class="empty">No key is registered: every signed call is refused until you register one.</p>` : table('Signing keys', ['Key id (keyid)', 'Algorithm', 'State', 'Valid', 'Actions'], rows)}</div>
<details class="form-details"${keys.length === 0 || context.typed.publicKey !== undefined ? html` open` : ''}><summary data-testid="open-register-key">Register a key, or rotate to a new one</summary>
<form class="panel" method="post" action="${portalPaths.keys(organizationId)}">
<ol class="todo"><li>Make a pair; the private half stays with you. <code class="shell-line">${MAKE_A_PAIR}</code></li>
<li>Paste the public half below and register it. <code class="shell-line">${TAKE_THE_PUBLIC_HALF}</code></li>
<li>Sign with the new key, watch it work, then deregister the old one.</li></ol>
${area(context, { name: 'publicKey', label: 'Public key', hint: 'PEM or JWK, on P-256, P-384 or P-521.', placeholder: '-----BEGIN PUBLIC KEY-----', isNeeded: true })}
<button class="button" data-testid="register-key">Register the key</button>
</form></details>
${equivalentCurl(context, { method: 'POST', path: controlPaths.keys(organizationId), body })}
</section>`
}

const validityOf = ({ registeredAt, expiresAt, deregisteredAt }: KeyView) => ({
  from: registeredAt,
  to: deregisteredAt ?? expiresAt,
})

const deregister = (organizationId: string, { keyId }: KeyView): Html =>
  confirmedForm(
    'Deregister',
    'Nothing that it signs is accepted any more, from this moment.',
    html`<form method="post" action="${portalPaths.key(organizationId, keyId)}/deregister"><button class="button danger" data-testid="deregister-key">Deregister it</button></form>`,
  )
