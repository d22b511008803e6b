/** A form or link of a page to fuzz: method, path and fields. */
export type PageAction = { method: string; path: string; fields: readonly [name: string, value: string][] }

const MOST_PAGES = 120

/** Collects all forms and links to fuzz that are reachable from these addresses by GET; submits nothing. */
export const crawlPages = async (origin: string, starts: readonly string[]): Promise<PageAction[]> => {
  const actions = new Map<string, PageAction>()
  const waiting = [...starts]
  const seen = new Set<string>(starts)
  const forms = (html: string, here: string): PageAction[] =>
    Array.from(html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g), ([, tag = '', inside = '']) => ({
      method: (attribute(tag, 'method') ?? 'get').toUpperCase(),
      path: pathOf(attribute(tag, 'action') ?? here, origin) ?? here,
      fields: fieldsIn(inside),
    }))
  for (let page = waiting.shift(); page !== undefined && seen.size <= MOST_PAGES; page = waiting.shift()) {
    const answer = await fetch(`${origin}${page}`)
    const html = answer.headers.get('content-type')?.startsWith('text/html') ? await answer.text() : ''
    if (html === '') await answer.body?.cancel()
    const links = Array.from(
      html.matchAll(/\bhref="([^"]*)"/g),
      ([, href = '']) => pathOf(unescaped(href), origin) ?? '',
    )
    for (const action of [...[page, ...links].filter(Boolean).map(linkOf), ...forms(html, page)])
      actions.set(`${action.method} ${action.path} ${action.fields.map(([name]) => name)}`, action)
    for (const link of links.filter(one => one !== '' && !one.startsWith('/control/') && !seen.has(one))) {
      seen.add(link)
      waiting.push(link)
    }
  }
  return [...actions.values()]
}

const linkOf = (href: string): PageAction => {
  const [path = '', search = ''] = href.split('?')
  return { method: 'GET', path, fields: [...new URLSearchParams(search)] }
}

const fieldsIn = (html: string): [string, string][] =>
  Array.from(html.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g), ([tag]): [string, string] => [
    attribute(tag, 'name') ?? '',
    attribute(tag, 'value') ?? '',
  ]).filter(([name]) => name !== '')

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The path and query of an address here; undefined where it leads elsewhere. */
const pathOf = (href: string, origin: string): string | undefined => {
  const url = URL.parse(href, origin)
  return url?.origin === origin ? url.pathname + url.search : undefined
}
