import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Say } from '../texts.ts'
import { words } from './code-name.ts'
import { choice, field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { instant } from './instant.ts'
import type { MockView, ScenarioView } from './live-port.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

/** What narrows the catalogue. */
export type ScenarioWish = Partial<Record<'q' | 'method' | 'step' | 'outcome' | 'use' | 'from', string | undefined>>

/** Cards on one page: as many as its weight allows. */
const CARDS = 30

type Shown = {
  organization: OrganizationSummary
  wish: ScenarioWish
  all: readonly ScenarioView[]
  mocks: readonly MockView[]
}

/** Every outcome by name, what each does step by step, and the form that sets one for a payer or a payment. */
export const scenariosPage = (visit: Visit, { organization, wish, all, mocks }: Shown): Html => {
  const { say } = visit
  const { organizationId } = organization
  const found = all.filter(fits(wish))
  const from = Math.max(0, Number(wish.from) || 0)
  const main = html`
<h1>${say('scenariosTitle')}</h1>
<p class="lead">${say('scenariosLead')}</p>
${outcomeLine(visit)}
${setMock(visit, organization, wish)}
<section aria-labelledby="mocks"><h2 id="mocks">${say('mocksTitle')}</h2>${mocksNow(say, mocks)}</section>
<h2 id="catalogue">${say('scenariosTitle')} <small data-testid="scenarios-count">${say('scenariosCount', { count: String(found.length), all: String(all.length) })}</small></h2>
${filter(say, organizationId, wish, all)}
${found.length === 0 ? html`<p class="quiet-line">${say('scenariosNone')}</p>` : html`<ul class="scenarios">${found.slice(from, from + CARDS).map(scenario => card(say, organizationId, scenario))}</ul>`}
${further(say, organizationId, wish, found.length > from + CARDS ? from + CARDS : undefined)}
${twin(visit, { path: '/control/scenarios' })}`
  return portalPage(say, {
    title: say('scenariosTitle'),
    section: 'scenarios',
    organization,
    main,
    more: ['live.css', 'moves.css'],
  })
}

const further = (say: Say, organizationId: string, wish: ScenarioWish, from: number | undefined): Html | '' => {
  if (from === undefined) return ''
  const query = Object.entries({ ...wish, use: undefined, from: String(from) }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  )
  return html`<p class="ways"><a class="button quiet" href="${portalPaths.scenarios(organizationId)}?${new URLSearchParams(query).toString()}#catalogue" data-testid="scenarios-more">${say('scenariosMore')}</a></p>`
}

const fits =
  ({ q = '', method = '', step = '', outcome = '' }: ScenarioWish) =>
  ({ name, title, clauses, providers, steps }: ScenarioView): boolean => {
    const text = [name, title, ...clauses, ...steps.flatMap(one => one.more)].join(' ').toLowerCase()
    const words = q.toLowerCase().split(/\s+/)
    return (
      words.every(word => text.includes(word)) &&
      (method === '' || providers.includes(method)) &&
      (step === '' || steps.some(one => one.step === step)) &&
      (outcome === '' || steps.some(one => one.outcome === outcome && (step === '' || one.step === step)))
    )
  }

const filter = (say: Say, organizationId: string, wish: ScenarioWish, all: readonly ScenarioView[]): Html => html`
<form class="sieve" method="get" action="${portalPaths.scenarios(organizationId)}#catalogue" role="search" aria-label="${say('scenariosSearch')}">
<p><label for="f-q">${say('scenariosSearch')}</label><input id="f-q" name="q" type="search" value="${wish.q ?? ''}" autocomplete="off" spellcheck="false" data-testid="scenarios-q"></p>
${pick(say, 'method', say('scenariosMethod'), [...new Set(all.flatMap(one => one.providers))], wish.method)}
${pick(say, 'step', say('scenariosStep'), [...new Set(all.flatMap(one => one.steps.map(({ step }) => step)))], wish.step)}
${pick(say, 'outcome', say('scenariosOutcome'), [...new Set(all.flatMap(one => one.steps.map(({ outcome }) => outcome)))], wish.outcome)}
<p class="send"><button class="button" data-testid="scenarios-show">${say('scenariosShow')}</button></p></form>`

const pick = (
  say: Say,
  name: string,
  label: string,
  words: readonly string[],
  chosen: string | undefined,
): Html => html`
<p><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}" data-testid="scenarios-${name}"><option value="">${say('scenariosAny')}</option>${words.map(word => html`<option${word === chosen ? html` selected` : ''}>${word}</option>`)}</select></p>`

const card = (
  say: Say,
  organizationId: string,
  { name, title, clauses, providers, magic, steps }: ScenarioView,
): Html => html`
<li data-testid="scenario" data-name="${name}"><h3><code>${name}</code></h3><p lang="en">${title}</p>
<p class="hint">${providers.join(', ')}${clauses.length > 0 ? ` · ${clauses.join(', ')}` : ''}${magic?.blikCode ? ` · ${say('scenariosCode', { code: magic.blikCode })}` : ''}${magic?.amount ? ` · ${say('scenariosAmount', { amount: String(magic.amount) })}` : ''}</p>
<dl>${steps.length === 0 ? html`<div><dt>${say('scenariosDefault')}</dt></div>` : steps.map(({ step, outcome, more }) => html`<div><dt>${step}</dt><dd><b class="${outcome}">${outcome}</b> ${more.join('; ')}</dd></div>`)}</dl>
<a class="button quiet" href="${portalPaths.scenarios(organizationId)}?use=${name}#set" data-testid="scenario-use">${say('scenariosUse')}</a></li>`

const KEYS = ['CLIENT_TRANSACTION_ID', 'PAYER_ID'] as const
const TYPES = ['MOCK', 'PASSTHROUGH'] as const

const setMock = (visit: Visit, { organizationId, accountIds }: OrganizationSummary, wish: ScenarioWish): Html => {
  const { say, typed } = visit
  const chosen = typed.scenario ?? wish.use ?? ''
  const body = {
    processingAccountId: accountIds[0],
    key: { type: 'PAYER_ID', value: 'payer-1' },
    type: 'MOCK',
    scenario: chosen || 'INSUFFICIENT_FUNDS',
  }
  return html`
<details class="adder" id="set"${chosen !== '' || visit.refused !== undefined ? html` open` : ''} data-testid="mock-form"><summary>${say('mocksSet')}</summary>
<form class="panel" method="post" action="${portalPaths.scenarios(organizationId)}">
${field(visit, { name: 'scenario', label: say('mocksScenario'), hint: say('mocksScenarioHint'), value: chosen, isNeeded: true })}
${choice({ name: 'processingAccountId', label: say('mocksAccount'), options: accountIds.map(id => [id, id] as const), chosen: typed.processingAccountId ?? '' })}
${choice({ name: 'keyType', label: say('mocksKeyType'), options: KEYS.map(one => [one, one] as const), chosen: typed.keyType ?? '' })}
${field(visit, { name: 'key', label: say('mocksKey'), hint: say('mocksKeyHint'), isNeeded: true })}
${choice({ name: 'type', label: say('mocksType'), options: TYPES.map(one => [one, one] as const), chosen: typed.type ?? '' })}
<p class="tick"><label><input type="checkbox" name="oneTime" value="yes"${typed.oneTime ? html` checked` : ''} data-testid="oneTime-field"> ${say('mocksOneTime')}</label></p>
<p class="actions"><button class="button" data-testid="mock-set">${say('scenariosUse')}</button></p>
${twin(visit, { method: 'POST', path: controlPaths.mocks(organizationId), body })}
</form></details>`
}

const mocksNow = (say: Say, mocks: readonly MockView[]): Html =>
  mocks.length === 0
    ? html`<p class="quiet-line" data-testid="mocks-none">${say('mocksNone')}</p>`
    : table(
        say('mocksTitle'),
        [say('mocksKeyType'), say('mocksScenario'), say('mocksType'), say('mocksAccount'), say('mocksUntil')],
        mocks.map(mock => ({
          testId: 'mock-row',
          cells: [
            html`<span>${words(mock.key.type)} <code class="id">${mock.key.value}</code></span>`,
            mock.scenario ?? mock.steps.join(', '),
            `${mock.type}${mock.oneTime ? `, ${say('mocksOneTime')}` : ''}${mock.used.length > 0 ? `, ${say('mocksUsed', { steps: mock.used.join(', ') })}` : ''}`,
            html`<code class="id">${mock.processingAccountId}</code>`,
            instant(mock.expiresAt),
          ],
        })),
      )
