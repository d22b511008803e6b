import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { shortId } from '../layout/short-id.ts'
import { portalPaths } from '../portal-paths.ts'

/** Most characters of an address in a list, the scheme not counted. */
const SHOWN = 40
/** Most characters of a host that does not break. */
const WHOLE_HOST = 28

/** Whether an address is that at which the demo shop of an organization receives its webhooks. */
const isOfDemoShop = (organizationId: string, url: string): boolean =>
  URL.parse(url)?.pathname === `/shop/webhooks/${organizationId}`

/** Returns the mark of an endpoint that the demo shop added for itself; empty for any other. */
export const demoShopMark = (organizationId: string, url: string): Html | '' =>
  isOfDemoShop(organizationId, url) ? html`<span class="tag" data-testid="demo-shop-endpoint">demo shop</span>` : ''

/** Formats an address with line breaks allowed behind its slashes, and within a long host. */
export const breakableUrl = (url: string): Html[] =>
  url
    .split(/(?<=[^/]\/|\?|&)(?!\/)/)
    .flatMap(part => (part.length > WHOLE_HOST ? part.split(/(?<=[.-])/) : [part]))
    .map((part, at) => (at === 0 ? html`${part}` : html`<wbr>${part}`))

/** Returns the link to an endpoint in a list, by its address without the scheme, in the middle shortened where it is long. */
export const endpointLink = (organizationId: string, endpointId: string, url: string | undefined): Html => {
  const href = portalPaths.endpoint(organizationId, endpointId)
  if (url === undefined) return html`<a class="id whole" href="${href}">deleted, ${shortId(endpointId)}</a>`
  if (isOfDemoShop(organizationId, url)) return html`<a href="${href}" title="${url}">demo shop</a>`
  return html`<a class="id url" href="${href}" title="${url}">${breakableUrl(shortened(url.replace(/^https?:\/\//, '')))}</a>`
}

/** Leaves out of a long address what lies between its host and as many of its last parts as fit. */
const shortened = (address: string): string => {
  if (address.length <= SHOWN) return address
  const [host = '', ...parts] = address.split('/')
  const kept = parts.slice(1)
  while (kept.length > 1 && [host, '…', ...kept].join('/').length > SHOWN) kept.shift()
  return [host, '…', ...kept].join('/')
}
