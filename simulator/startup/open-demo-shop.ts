import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import { createKit } from '../installation/merchant-kit.ts'
import type { Config } from '../options/options.ts'
import type { DemoShop } from '../shop/demo-shop.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import type { Ids } from '../support/ids.ts'
import { reachableHost } from './host-reachable-from-this-machine.ts'
import type { Resources } from './startup-context.ts'

type Parts = {
  config: Config
  controlPlane: Pick<ControlPlaneFeatures, 'organizations' | 'endpoints' | 'dialects'>
  installation: Pick<Installation, 'serviceKeys'>
  clock: Clock
  ids: Ids
  ports: { api: number; pages: number }
  coverApiUrl: (url: string) => Promise<void>
  /** Whether replicas share the store. */
  store: Pick<Store, 'replicas'>
  resources: Resources
  onError: (error: unknown) => void
}

/**
 * Returns a function that opens the demo shop, whose code is loaded at the first call of a page; undefined with
 * `--shop off` and in production. The kits of the shop name the addresses at which this process reaches itself,
 * whatever others reach it by.
 */
export const openDemoShop = (parts: Parts): (() => Promise<DemoShop>) | undefined => {
  const { config, controlPlane, installation, clock, ids, ports, coverApiUrl, store, resources, onError } = parts
  const { organizations, endpoints, dialects } = controlPlane
  const [serviceKey] = installation.serviceKeys
  if (config.shop === 'off' || config.environment === 'production' || !serviceKey) return undefined
  const host = reachableHost(config.host)
  const urls = { apiUrl: `https://${host}:${ports.api}`, pagesUrl: `http://${host}:${ports.pages}` }
  const kitOf = async (organizationId: string) => {
    if (!(await organizations.find(organizationId))) return undefined
    return createKit(await organizations.credentials(organizationId), urls, dialects.of(organizationId))
  }
  return async () => {
    const { createDemoShop } = await import('../shop/demo-shop.ts')
    await coverApiUrl(urls.apiUrl).catch(onError)
    const { privateKey } = serviceKey
    const shop = createDemoShop({
      kitOf,
      endpoints,
      ownUrl: urls.pagesUrl,
      isAlone: store.replicas === undefined,
      privateKey,
      stateOf: organizations.stateOf,
      ids,
      realNow: clock.real,
      onError,
    })
    resources.defer(async () => shop.close())
    return shop
  }
}
