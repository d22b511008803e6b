import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Html } from './layout.ts'
import type { Say } from './texts.ts'

type Named = { organizationId: string }

/** Some of many organizations: those whose id has the text in it, from a place on. */
export type Found<Organization> = {
  shown: readonly Organization[]
  q: string
  from: number
  fitting: number
  all: number
}

/** What the address asks for, of all that there are. */
export const findOrganizations = <Organization extends Named>(
  c: Context,
  all: readonly Organization[],
  most: number,
): Found<Organization> => {
  const q = (c.req.query('q') ?? '').trim().slice(0, 64)
  const fitting = all.filter(({ organizationId }) => organizationId.includes(q.toLowerCase()))
  const wanted = Number(c.req.query('from'))
  const from = Number.isSafeInteger(wanted) && wanted > 0 && wanted < fitting.length ? wanted : 0
  return { shown: fitting.slice(from, from + most), q, from, fitting: fitting.length, all: all.length }
}

/** The field to look for one in, where there are more than a page shows. */
export const finder = <Organization>(say: Say, { shown, q, all }: Found<Organization>, action: string): Html | '' =>
  all === shown.length
    ? ''
    : html`
<form class="sieve" method="get" action="${action}" role="search">
<p><label for="find">${say('findOrganization')}</label><input id="find" name="q" type="search" value="${q}" autocomplete="off" spellcheck="false" data-testid="find-field"></p>
<p class="send"><button class="button quiet" data-testid="find-organization">${say('findNow')}</button></p>
</form>
${shown.length === 0 ? html`<p data-testid="find-none">${say('findNone')}</p>` : ''}`

/** Which of them are shown, and the way to the next. */
export const further = <Organization>(say: Say, { shown, q, from, fitting }: Found<Organization>): Html | '' => {
  const until = from + shown.length
  if (fitting <= shown.length) return ''
  const next = new URLSearchParams({ ...(q === '' ? {} : { q }), from: String(until) })
  return html`
<p class="ways"><span data-testid="find-count">${from + 1}–${until} / ${fitting}</span>
${until < fitting ? html`<a class="button quiet" href="?${next.toString()}" data-testid="find-more">${say('findMore')}</a>` : ''}</p>`
}
