/** One answer of the pages' port, with what leads on from it. */
export type Visited = { path: string; status: number; headers: Headers; text: string }

const unescaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Values of an attribute, as a browser reads them. */
export const valuesOf = (name: string, text: string): string[] =>
  Array.from(text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g')), ([, value = '']) => unescaped(value))

const isPage = ({ headers }: { headers: Headers }): boolean => /html|svg/.test(headers.get('content-type') ?? '')

/** Follows every link of every page, from some on, each address once; never one of control's own that is no page. */
export const crawl = async (pagesUrl: string, from: readonly string[], most: number): Promise<Visited[]> => {
  const [open, known] = [[...from], new Set(from)]
  const visited: Visited[] = []
  for (let path = open.shift(); path !== undefined && visited.length < most; path = open.shift()) {
    const answer = await fetch(pagesUrl + path, { redirect: 'manual' })
    const { status, headers } = answer
    if (headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
    const text = answer.bodyUsed ? '' : await answer.text()
    visited.push({ path, status, headers, text })
    const links = isPage(answer) ? valuesOf('href', text) : []
    for (const link of [...links, headers.get('location') ?? '']) {
      const { origin, pathname, search } = URL.parse(link, pagesUrl + path) ?? {}
      const next = `${pathname}${search}`
      if (link === '' || origin !== pagesUrl || known.has(next) || next.startsWith('/assets/')) continue
      known.add(next)
      open.push(next)
    }
  }
  return visited
}

export type Form = { action: string; names: readonly string[] }

/** The forms of a page that are sent by POST. */
export const formsOf = ({ path, text }: Visited): Form[] =>
  Array.from(text.matchAll(/<form[^>]*method="post"[^>]*>(.*?)<\/form>/gs), ([form, inner = '']) => ({
    action: valuesOf('action', form.slice(0, form.indexOf('>') + 1))[0] ?? path,
    names: valuesOf('name', inner),
  }))
