import { html } from 'hono/html'
import { type Html, layout } from '../layout.ts'
import { type OrganizationPage, organizationSearch, pagination } from '../organization-search-and-pagination.ts'
import { paths } from '../shopper-paths.ts'
import type { Say } from '../text-lookup-by-language.ts'

/** Returns the page on which the shopper chooses the organization in whose shops a BLIK phone pays. */
export const organizationChoicePage = (say: Say, list: OrganizationPage<{ organizationId: string }>): Html =>
  layout(say, {
    title: say('phoneTitle'),
    look: 'phone',
    more: ['list-filter-forms.css'],
    main: html`
<main class="device">
<div class="screen">
<div class="hero"><h1>${say('phoneShopsTitle')}</h1></div>
${organizationSearch(say, list, paths.anyPhone)}
<nav class="bank-list" aria-label="${say('organizations')}">
${list.found.map(({ organizationId }) => html`<a href="${paths.blik(organizationId)}" data-testid="blik-organization"><b>${organizationId}</b></a>`)}
</nav>
${pagination(say, list)}
</div>
</main>`,
  })
