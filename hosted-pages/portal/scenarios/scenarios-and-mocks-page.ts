import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { choice, field } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { breakable, timestamp } from '../layout/formatted-values.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** A scenario as the portal lists it, with what it does, step by step. */
export type ScenarioSummary = {
  name: string
  title: string
  clauses: readonly string[]
  providers: readonly string[]
  magic?: { blikCode?: string; amount?: number }
  steps: readonly { step: string; outcome: string; more: readonly string[] }[]
}

/** A mock as the portal lists it; times are epoch milliseconds on the organization's clock. */
export type Mock = {
  processingAccountId: string
  key: { type: string; value: string }
  type: string
  scenario?: string
  oneTime: boolean
  /** The scripted steps by name. */
  steps: object
  /** The names of the steps that are used up. */
  used?: readonly string[]
  expiresAt: number
}

/** Filter of the portal's catalogue of scenarios; `use` is the scenario that the form of a mock begins with. */
export type ScenarioFilter = Partial<Record<'q' | 'method' | 'step' | 'outcome' | 'use' | 'from', string | undefined>>

/** Most scenario cards on one page, limited by the weight of the page. */
const CARDS = 30

type Shown = {
  organization: Organization
  filter: ScenarioFilter
  all: readonly ScenarioSummary[]
  mocks: readonly Mock[]
}

/** Returns the portal page of the scenarios step by step, the mocks that are set, and the form that sets a mock. */
export const scenariosPage = (context: PageRequestData, { organization, filter, all, mocks }: Shown): Html => {
  const { organizationId } = organization
  const found = all.filter(fits(filter))
  const from = Math.max(0, Number(filter.from) || 0)
  const main = html`
<h1>Scenarios</h1>
<p class="lead">Every outcome by name. Set one for a payer or a reference, or ask for it with its magic code or amount.</p>
${formMessage(context)}
${setMock(context, organization, filter)}
<section id="mocks-now" aria-labelledby="mocks" data-live="settings payments clock"><h2 id="mocks">Mocks that hold now</h2>${mocksNow(mocks)}</section>
<h2 id="catalogue">Scenarios <small data-testid="scenarios-count">${found.length} of ${all.length}</small></h2>
${filterForm(organizationId, filter, all)}
${found.length === 0 ? html`<p class="quiet-line">No scenario fits.</p>` : html`<ul class="scenarios">${found.slice(from, from + CARDS).map(scenario => card(organizationId, filter, scenario))}</ul>`}
${nextPage(organizationId, filter, found.length > from + CARDS ? from + CARDS : undefined)}
${equivalentCurl(context, { path: '/control/scenarios' })}`
  return portalPage({
    title: 'Scenarios',
    section: 'scenarios',
    organization,
    main,
    more: ['list-filter-forms.css', 'clock-and-scenarios.css'],
  })
}

const nextPage = (organizationId: string, filter: ScenarioFilter, from: number | undefined): Html | '' =>
  from === undefined
    ? ''
    : html`<p class="ways"><a class="button quiet" href="${scenariosPath(organizationId, { ...filter, use: undefined, from: String(from) })}#catalogue" data-testid="scenarios-more">More scenarios</a></p>`

/** Returns the address of the portal's catalogue of scenarios under a filter. */
export const scenariosPath = (organizationId: string, filter: ScenarioFilter): string => {
  const query = new URLSearchParams(givenIn(filter)).toString()
  return `${portalPaths.scenarios(organizationId)}${query === '' ? '' : `?${query}`}`
}

const givenIn = (filter: ScenarioFilter): [name: string, value: string][] =>
  Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))

const fits =
  ({ q = '', method = '', step = '', outcome = '' }: ScenarioFilter) =>
  ({ name, title, clauses, providers, steps }: ScenarioSummary): boolean => {
    const text = [name, title, ...clauses, ...steps.flatMap(one => one.more)].join(' ').toLowerCase()
    const words = q.toLowerCase().split(/\s+/)
    return (
      words.every(word => text.includes(word)) &&
      (method === '' || providers.includes(method)) &&
      (step === '' || steps.some(one => one.step === step)) &&
      (outcome === '' || steps.some(one => one.outcome === outcome && (step === '' || one.step === step)))
    )
  }

const filterForm = (organizationId: string, filter: ScenarioFilter, all: readonly ScenarioSummary[]): Html => html`
<form class="filter-form" method="get" action="${portalPaths.scenarios(organizationId)}#catalogue" role="search" aria-label="Search">
<p><label for="f-q">Search</label><input id="f-q" name="q" type="search" value="${filter.q ?? ''}" autocomplete="off" spellcheck="false" data-testid="scenarios-q"></p>
${pick('method', 'Method', [...new Set(all.flatMap(one => one.providers))], filter.method)}
${pick('step', 'Step', [...new Set(all.flatMap(one => one.steps.map(({ step }) => step)))], filter.step)}
${pick('outcome', 'Outcome', [...new Set(all.flatMap(one => one.steps.map(({ outcome }) => outcome)))], filter.outcome)}
<p class="send"><button class="button" data-testid="scenarios-show">Show</button></p></form>`

const pick = (name: string, label: string, words: readonly string[], chosen: string | undefined): Html => html`
<p><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}" data-testid="scenarios-${name}"><option value="">any</option>${words.map(word => html`<option${word === chosen ? html` selected` : ''}>${word}</option>`)}</select></p>`

const card = (
  organizationId: string,
  filter: ScenarioFilter,
  { name, title, clauses, providers, magic, steps }: ScenarioSummary,
): Html => html`
<li data-testid="scenario" data-name="${name}"><h3><code>${name}</code></h3><p>${title}</p>
<p class="hint">${providers.join(', ')}${clauses.length > 0 ? ` · ${clauses.join(', ')}` : ''}${magic?.blikCode ? ` · BLIK code ${magic.blikCode}` : ''}${magic?.amount ? ` · amount ${magic.amount}` : ''}</p>
<dl>${steps.length === 0 ? html`<div><dt>as the provider does</dt></div>` : steps.map(({ step, outcome, more }) => html`<div><dt>${step}</dt><dd><b class="${outcome}">${outcome}</b> ${more.join('; ')}</dd></div>`)}</dl>
<a class="button quiet" href="${scenariosPath(organizationId, { ...filter, use: name })}#set" data-testid="scenario-use">Set this mock</a></li>`

const KEYS = ['CLIENT_TRANSACTION_ID', 'PAYER_ID'] as const
const TYPES = ['MOCK', 'PASSTHROUGH'] as const

const setMock = (
  context: PageRequestData,
  { organizationId, accountIds }: Organization,
  filter: ScenarioFilter,
): Html => {
  const { typed } = context
  const chosen = typed.scenario ?? filter.use ?? ''
  const body = {
    processingAccountId: accountIds[0],
    key: { type: 'PAYER_ID', value: 'payer-1' },
    type: 'MOCK',
    scenario: chosen || 'INSUFFICIENT_FUNDS',
  }
  return html`
<details class="form-details" id="set"${chosen !== '' || context.refused !== undefined ? html` open` : ''} data-testid="mock-form"><summary>Set a mock</summary>
<form class="panel" method="post" action="${portalPaths.scenarios(organizationId)}">
${givenIn({ ...filter, use: undefined }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${field(context, { name: 'scenario', label: 'Scenario', hint: 'a name of the catalogue below', value: chosen, isNeeded: true })}
${choice(context, { name: 'processingAccountId', label: 'Account', options: accountIds.map(id => [id, id] as const), chosen: typed.processingAccountId ?? '' })}
${choice(context, { name: 'keyType', label: 'For', options: KEYS.map(one => [one, one] as const), chosen: typed.keyType ?? '' })}
${field(context, { name: 'key', label: 'Its value', hint: 'the payerId or clientTransactionId of the payment', isNeeded: true })}
${choice(context, { name: 'type', label: 'Who answers', options: TYPES.map(one => [one, one] as const), chosen: typed.type ?? '' })}
<p class="tick"><label><input type="checkbox" name="oneTime" value="yes"${typed.oneTime ? html` checked` : ''} data-testid="oneTime-field"> Only once</label></p>
<p class="actions"><button class="button" data-testid="mock-set">Set this mock</button></p>
${equivalentCurl(context, { method: 'POST', path: controlPaths.mocks(organizationId), body })}
</form></details>`
}

const mocksNow = (mocks: readonly Mock[]): Html =>
  mocks.length === 0
    ? html`<p class="quiet-line" data-testid="mocks-none">None: the provider answers as it does.</p>`
    : table(
        'Mocks that hold now',
        ['For', 'Scenario', 'Who answers', 'Account', 'Until'],
        mocks.map(mock => ({
          testId: 'mock-row',
          cells: [
            html`<span>${breakable(mock.key.type)} <code class="id">${mock.key.value}</code></span>`,
            mock.scenario ?? Object.keys(mock.steps).join(', '),
            `${mock.type}${mock.oneTime ? `, Only once` : ''}${mock.used?.length ? `, used up: ${mock.used.join(', ')}` : ''}`,
            html`<code class="id">${mock.processingAccountId}</code>`,
            timestamp(mock.expiresAt),
          ],
        })),
      )
