import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { confirm } from './confirm.ts'
import { area } from './form-fields.ts'
import { identifier } from './identifier.ts'
import type { KeyView } from './identities-port.ts'
import { instant } from './instant.ts'
import { lifeBar, scaleOf } from './life-bar.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

const LOOKS = { active: 'good', expiring: 'late', expired: 'idle', deregistered: 'idle' } as const
const MAKE_A_PAIR = 'openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nodes -out signing.pem'
const TAKE_THE_PUBLIC_HALF = 'openssl pkey -in signing.pem -pubout'

/** Signing keys with their lives as bars: where two bars stand above each other, both keys sign (5.2). */
export function keysSection(
  visit: Visit,
  { organizationId, now }: OrganizationSummary,
  keys: readonly KeyView[],
): Html {
  const { say } = visit
  const lives = keys.map(({ registeredAt, expiresAt, deregisteredAt }) => ({
    from: Date.parse(registeredAt),
    to: Date.parse(deregisteredAt ?? expiresAt),
  }))
  const scale = scaleOf(lives, now)
  const rows = keys.map((key, at) => ({
    testId: 'key-row',
    cells: [
      identifier(say, key.keyId),
      html`<span class="quiet">${key.algorithm.replaceAll('_', '-')}</span>`,
      tag(say, key.state),
      html`<span class="span">${lifeBar(lifeOf(visit, key), { ...(lives[at] ?? { from: now, to: now }), look: LOOKS[key.state] }, scale)}
<span class="ends">${instant(key.registeredAt)} <span>${instant(key.deregisteredAt ?? key.expiresAt)}</span></span></span>`,
      key.state === 'deregistered' ? '' : deregister(visit, organizationId, key),
    ],
  }))
  const body = { publicKey: '-----BEGIN PUBLIC KEY-----\n…' }
  return html`
<section aria-labelledby="keys"><h2 id="keys">${say('idsKeys')}</h2>
<p class="note">${say('idsKeysNote')}</p>
${keys.length === 0 ? html`<p class="empty">${say('idsNoKeys')}</p>` : table(say('idsKeys'), [say('idsKeyId'), say('idsAlgorithm'), say('portalState'), say('idsLife'), say('portalActions')], rows)}
<details class="adder"${keys.length === 0 || visit.typed.publicKey !== undefined ? html` open` : ''}><summary data-testid="open-register-key">${say('idsRotate')}</summary>
<form class="panel" method="post" action="${portalPaths.keys(organizationId)}">
<ol class="todo"><li>${say('idsRotate1')} <code class="shell-line">${MAKE_A_PAIR}</code></li>
<li>${say('idsRotate2')} <code class="shell-line">${TAKE_THE_PUBLIC_HALF}</code></li>
<li>${say('idsRotate3')}</li></ol>
${area(visit, { name: 'publicKey', label: say('idsPublicKey'), hint: say('idsPublicKeyHint'), placeholder: '-----BEGIN PUBLIC KEY-----', isNeeded: true })}
<button class="button" data-testid="register-key">${say('idsRegister')}</button>
</form></details>
${twin(visit, { method: 'POST', path: controlPaths.keys(organizationId), body })}
</section>`
}

const lifeOf = ({ say }: Visit, { registeredAt, expiresAt, deregisteredAt }: KeyView): string =>
  say('idsLifeLabel', { from: registeredAt.slice(0, 10), to: (deregisteredAt ?? expiresAt).slice(0, 10) })

const deregister = ({ say }: Visit, organizationId: string, { keyId }: KeyView): Html =>
  confirm(
    say('idsDeregister'),
    say('idsDeregisterWarning'),
    html`<form method="post" action="${portalPaths.key(organizationId, keyId)}/deregister"><button class="button danger" data-testid="deregister-key">${say('idsDeregisterNow')}</button></form>`,
  )
