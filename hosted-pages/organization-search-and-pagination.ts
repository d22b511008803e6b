import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Html } from './layout.ts'
import { type OrganizationClocks, type OrganizationView, withClock } from './organization-with-clock.ts'
import type { Say } from './text-lookup-by-language.ts'

/** Parameters of a search for one page of organizations: a text in their ids, a place in order of creation, a limit. */
export type OrganizationQuery = { text: string; from: number; limit: number }
/** Result of a search: `fitting` counts all organizations whose id contains the text, `all` every one there is. */
type OrganizationMatches<Organization> = { found: readonly Organization[]; fitting: number; all: number }

/** The feature of the simulator by which pages find organizations: a search, and a look-up by id. */
export type OrganizationDirectory<Organization extends { organizationId: string } = { organizationId: string }> = {
  organizations: {
    search: (query: OrganizationQuery) => Promise<OrganizationMatches<Organization>>
    find: (organizationId: string) => Promise<Organization | undefined>
  }
}

/** The features of the simulator by which pages show organizations with their clocks. */
export type Organizations<Organization extends { organizationId: string } = { organizationId: string }> =
  OrganizationDirectory<Organization> & OrganizationClocks

/** Returns the id of the organization that was created first, which is the demo organization. */
export const firstOrganization = async ({ organizations }: OrganizationDirectory): Promise<string | undefined> =>
  (await organizations.search({ text: '', from: 0, limit: 1 })).found[0]?.organizationId

/** One page of a list of organizations, with the query and place in its address. */
export type OrganizationPage<Organization> = OrganizationMatches<Organization> & { q: string; from: number }

/**
 * Searches organizations by the query parameters of a page (`q`, `from`); starts at the first where `from` is behind
 * the last.
 */
export const findOrganizations = async <Organization extends { organizationId: string }>(
  c: Context,
  features: Organizations<Organization>,
  limit: number,
): Promise<OrganizationPage<Organization & OrganizationView>> => {
  const q = (c.req.query('q') ?? '').trim().slice(0, 64)
  const place = Number(c.req.query('from'))
  const from = Number.isSafeInteger(place) && place > 0 ? place : 0
  const searchFrom = async (from: number) => {
    const { found, ...counts } = await features.organizations.search({ text: q.toLowerCase(), from, limit })
    return { found: found.map(one => withClock(features, one)), ...counts, q, from }
  }
  const shown = await searchFrom(from)
  return from > 0 && shown.found.length === 0 ? searchFrom(0) : shown
}

/** Returns the search form for organizations; empty where the page already shows all of them. */
export const organizationSearch = <Organization>(
  say: Say,
  { found, q, all }: OrganizationPage<Organization>,
  action: string,
): Html | '' =>
  all === found.length
    ? ''
    : html`
<form class="filter-form" method="get" action="${action}" role="search" aria-label="${say('findOrganization')}">
<p><label for="find">${say('findOrganization')}</label><input id="find" name="q" type="search" value="${q}" autocomplete="off" spellcheck="false" data-testid="find-field"></p>
<p class="send"><button class="button quiet" data-testid="find-organization">${say('findNow')}</button></p>
</form>
${found.length === 0 ? html`<p data-testid="find-none">${say('findNone')}</p>` : ''}`

/** Returns the line that says which organizations of how many a page shows, with the link to the next page. */
export const pagination = <Organization>(
  say: Say,
  { found, q, from, fitting }: OrganizationPage<Organization>,
): Html | '' => {
  const until = from + found.length
  if (fitting <= found.length) return ''
  const next = new URLSearchParams({ ...(q === '' ? {} : { q }), from: String(until) })
  return html`
<p class="ways"><span data-testid="find-count">${from + 1}–${until} / ${fitting}</span>
${until < fitting ? html`<a class="button quiet" href="?${next.toString()}" data-testid="find-more">${say('findMore')}</a>` : ''}</p>`
}
