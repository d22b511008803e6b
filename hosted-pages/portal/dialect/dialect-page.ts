import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { area } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** Decisions that are chosen otherwise than usual, as the portal shows them, in Markdown, and how many are usual. */
export type ChosenDecisions = {
  otherwise: readonly { number: string; question: string; value: string; meaning: string }[]
  usual: number
}

/**
 * The dialect of an organization as the portal shows it; `profile` is the text of its own, undefined where it speaks
 * the usual one.
 */
export type Dialect = { name: string; profile: string | undefined; decisions: ChosenDecisions }

/** Returns the portal page of the dialect that an organization speaks, with the form that sets it (2). */
export const dialectPage = (
  context: PageRequestData,
  organization: Organization,
  { name, profile, decisions }: Dialect,
): Html => {
  const { organizationId } = organization
  const [here, path] = [portalPaths.dialect(organizationId), controlPaths.dialect(organizationId)]
  const isOwn = profile !== undefined
  const main = html`
<h1>Dialect</h1>
<p class="lead">Paths, members, status words and decisions of the API as another deployment has them, so that a shop written for that one can be tried here. Other organizations are not affected.</p>
${formMessage(context)}
<dl class="facts-list">
<div><dt>Speaks</dt><dd data-testid="dialect-name">${name}</dd></div>
<div><dt>Chosen by</dt><dd data-testid="dialect-from">${isOwn ? 'a profile of its own' : 'the sandbox, as for every organization without a profile of its own'}</dd></div>
</dl>
<section aria-labelledby="profile-of"><h2 id="profile-of">${isOwn ? 'Its profile' : 'Another dialect'}</h2>
<form class="panel" method="post" action="${here}">
${area(context, { name: 'profile', label: 'Profile', hint: 'YAML or JSON, as assay certify takes it. Lines that say where the deployment is and who calls it do not count here.', placeholder: EXAMPLE, value: profile ?? '', isNeeded: true, rows: 14 })}
<div class="buttons"><button class="button" data-testid="speak-profile">Speak this dialect</button>
${isOwn ? html`<button class="button quiet" form="usual" data-testid="speak-usual">Speak the usual dialect again</button>` : ''}</div>
</form>
${isOwn ? html`<form id="usual" method="post" action="${here}/usual"></form>` : ''}
${equivalentCurl(context, [
  { method: 'PUT', path, body: { profile: 'naming: snake_case' } },
  ...(isOwn ? [{ method: 'DELETE', path }] : []),
])}
</section>
${decisionsSection(decisions)}`
  return portalPage({ title: 'Dialect', section: 'dialect', organization, main })
}

const EXAMPLE = `name: Ledger
naming: snake_case
decisions:
  D-07: '402'`

const decisionsSection = ({ otherwise, usual }: ChosenDecisions): Html => html`
<section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>
<p class="note" data-testid="usual-decisions">${otherwise.length === 0 ? `All ${usual} decisions that a profile can switch are as usual.` : `The other ${usual} that a profile can switch are as usual.`}</p>
${
  otherwise.length === 0
    ? ''
    : table(
        'Decisions chosen otherwise than usual',
        ['Decision', 'Question', 'Answer'],
        otherwise.map(({ number, question, value, meaning }) => ({
          testId: 'decision-row',
          cells: [
            html`<span class="rule-id">${number}</span>`,
            html`<span>${withCode(question)}</span>`,
            html`<span><code>${value}</code> ${withCode(meaning)}</span>`,
          ],
        })),
      )
}</section>`

/** Returns Markdown whose only marks are backticks as HTML. */
const withCode = (markdown: string): Html[] =>
  markdown.split('`').map((text, at) => (at % 2 === 1 ? html`<code>${text}</code>` : html`${text}`))
