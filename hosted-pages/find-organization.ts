import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Html } from './layout.ts'
import type { Found, Wanted } from './port.ts'
import type { Say } from './texts.ts'

/** What a page shows of many organizations, and what was looked for. */
export type Shown<Organization> = Found<Organization> & { q: string; from: number }

/** The first that came. */
export const FIRST: Wanted = { text: '', from: 0, limit: 1 }

/** What the address asks for: so many at most, and the first of them where it begins behind the last. */
export const findOrganizations = async <Organization>(
  c: Context,
  find: (wanted: Wanted) => Promise<Found<Organization>>,
  limit: number,
): Promise<Shown<Organization>> => {
  const q = (c.req.query('q') ?? '').trim().slice(0, 64)
  const place = Number(c.req.query('from'))
  const from = Number.isSafeInteger(place) && place > 0 ? place : 0
  const lookFrom = async (from: number) => ({ ...(await find({ text: q.toLowerCase(), from, limit })), q, from })
  const shown = await lookFrom(from)
  return from > 0 && shown.found.length === 0 ? lookFrom(0) : shown
}

/** The field to look for one in, where there are more than a page shows. */
export const finder = <Organization>(say: Say, { found, q, all }: Shown<Organization>, action: string): Html | '' =>
  all === found.length
    ? ''
    : html`
<form class="sieve" method="get" action="${action}" role="search">
<p><label for="find">${say('findOrganization')}</label><input id="find" name="q" type="search" value="${q}" autocomplete="off" spellcheck="false" data-testid="find-field"></p>
<p class="send"><button class="button quiet" data-testid="find-organization">${say('findNow')}</button></p>
</form>
${found.length === 0 ? html`<p data-testid="find-none">${say('findNone')}</p>` : ''}`

/** Which of them are shown, and the way to the next. */
export const further = <Organization>(say: Say, { found, q, from, fitting }: Shown<Organization>): Html | '' => {
  const until = from + found.length
  if (fitting <= found.length) return ''
  const next = new URLSearchParams({ ...(q === '' ? {} : { q }), from: String(until) })
  return html`
<p class="ways"><span data-testid="find-count">${from + 1}–${until} / ${fitting}</span>
${until < fitting ? html`<a class="button quiet" href="?${next.toString()}" data-testid="find-more">${say('findMore')}</a>` : ''}</p>`
}
