import { pollUntil } from '../support/poll-until.ts'
import type { ScopedSimulator } from '../support/test-scoped-simulator.ts'

/** Response to a test's request for a page of the demo shop. */
export type Visited = { status: number; location: string; text: string }

/** Returns the state of a demo shop order from the text of its page; undefined if the page shows none. */
export const stateIn = ({ text }: Visited): string | undefined => /data-state="(\w+)"/.exec(text)?.[1]

/** Creates a browser without scripts that visits the shop: it keeps cookies and follows no redirect. */
export const createShopVisitor = ({ pagesUrl }: Pick<ScopedSimulator, 'pagesUrl'>) => {
  const cookies = new Map<string, string>()
  const visit = async (path: string, init: RequestInit = {}): Promise<Visited> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(cookie && { cookie }), ...init.headers }
    const answer = await fetch(new URL(path, pagesUrl), { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
  }
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    visit(path, { method: 'POST', body: new URLSearchParams(fields), headers })

  return {
    pagesUrl,
    cookies,
    visit,
    post,
    /** The path of the first page of an organization's shop, its key in it; without a token everyone is an operator. */
    open: async (organizationId = 'demo-merchant', headers: Record<string, string> = {}): Promise<string> =>
      (await visit(`/shop/${organizationId}`, { headers })).location,
    /** The hidden fields of the checkout of a product: the order, as the page made it. */
    checkout: async (shop: string, product = 'jar'): Promise<{ path: string; order: string; text: string }> => {
      const path = `${shop}/products/${product}`
      const { text } = await visit(path)
      return { path, order: /name="order" value="([^"]+)"/.exec(text)?.[1] ?? '', text }
    },
    /** Looks at an order until it is in a state. */
    orderIn: (path: string, state: string): Promise<Visited> =>
      pollUntil(
        () => visit(path),
        seen => stateIn(seen) === state,
      ),
  }
}
