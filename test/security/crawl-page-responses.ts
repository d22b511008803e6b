/** One response of the pages' port that a security test crawled. */
export type CrawledResponse = { path: string; status: number; headers: Headers; text: string }

const unescaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Returns the unescaped values of an HTML attribute in a text. */
export const attributeValues = (name: string, text: string): string[] =>
  Array.from(text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g')), ([, value = '']) => unescaped(value))

const isPage = ({ headers }: { headers: Headers }): boolean => /html|svg/.test(headers.get('content-type') ?? '')

/** Crawls the pages' port in a security test from some paths, each address once, up to a number of responses. */
export const crawlPagesPort = async (
  pagesUrl: string,
  from: readonly string[],
  most: number,
): Promise<CrawledResponse[]> => {
  const [open, known] = [[...from], new Set(from)]
  const visited: CrawledResponse[] = []
  for (let path = open.shift(); path !== undefined && visited.length < most; path = open.shift()) {
    const answer = await fetch(pagesUrl + path, { redirect: 'manual' })
    const { status, headers } = answer
    if (headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
    const text = answer.bodyUsed ? '' : await answer.text()
    visited.push({ path, status, headers, text })
    const links = isPage(answer) ? attributeValues('href', text) : []
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

type PostForm = { action: string; names: readonly string[] }

/** Returns the POST forms of a crawled page: their action and field names. */
export const formsOf = ({ path, text }: CrawledResponse): PostForm[] =>
  Array.from(text.matchAll(/<form[^>]*method="post"[^>]*>(.*?)<\/form>/gs), ([form, inner = '']) => ({
    action: attributeValues('action', form.slice(0, form.indexOf('>') + 1))[0] ?? path,
    names: attributeValues('name', inner),
  }))
