import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { identifier } from './identifier.ts'
import { instant } from './instant.ts'
import { controlPaths, portalPaths } from './paths.ts'
import { table } from './table.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { DeliveryState, DeliveryView } from './webhooks-port.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'dropped'] as const satisfies readonly DeliveryState[]

type Shown = { deliveries: readonly DeliveryView[]; state: DeliveryState | undefined; path: string }

/** What was sent, newest first, narrowed by what became of it. */
export function deliveriesSection(visit: Visit, organizationId: string, { deliveries, state, path }: Shown): Html {
  const { say } = visit
  const columns = [say('hooksDue'), say('hooksType'), say('portalState'), say('hooksLastTry'), say('hooksAbout')]
  return html`
<section aria-labelledby="deliveries"><h2 id="deliveries">${say('hooksDeliveries')}</h2>
<ul class="filter" aria-label="${say('hooksFilter')}">
<li><a href="${path}#deliveries"${state ? '' : html` aria-current="true"`} data-testid="filter-all">${say('hooksAllStates')}</a></li>
${DELIVERY_STATES.map(
  one =>
    html`<li><a href="${path}?state=${one}#deliveries"${state === one ? html` aria-current="true"` : ''} data-testid="filter-${one}">${tag(say, one)}</a></li>`,
)}</ul>
${deliveries.length === 0 ? html`<p class="empty" data-testid="no-deliveries">${say('hooksNoDeliveries')}</p>` : table(say('hooksDeliveries'), columns, rowsOf(visit, organizationId, deliveries))}
${twin(visit, { path: `${controlPaths.deliveries(organizationId)}${state ? `?state=${state}` : ''}` })}
</section>`
}

const rowsOf = ({ say }: Visit, organizationId: string, deliveries: readonly DeliveryView[]) =>
  deliveries.map(({ deliveryId, type, state, attempts, transactionId, firstDueAt }) => ({
    testId: 'delivery-row',
    cells: [
      html`<a href="${portalPaths.delivery(organizationId, deliveryId)}">${instant(firstDueAt)}</a>`,
      html`<code>${type}</code>`,
      tag(say, state),
      lastTry(attempts),
      transactionId === ''
        ? ''
        : identifier(say, transactionId, {
            href: portalPaths.payment(organizationId, transactionId),
            shown: `${transactionId.slice(0, 13)}…`,
          }),
    ],
  }))

const lastTry = (attempts: DeliveryView['attempts']): Html | '' => {
  const last = attempts.at(-1)
  if (!last) return ''
  return html`<span class="number">${attempts.length} × · ${last.answer?.status ?? last.error ?? ''}</span>`
}
