import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type SandboxTestFixtures, type SandboxWorkerFixtures, sandboxFixtures } from '@assay-sandbox/assay/playwright'
import { serve } from '@hono/node-server'
import { test as base } from 'playwright/test'
import { createShop } from '../shop/shop.ts'

const sandboxed = base.extend<SandboxTestFixtures, SandboxWorkerFixtures>(sandboxFixtures)

/** Playwright `test` of the example, whose workers each have an organization, and a shop that pays with its kit. */
export const test = sandboxed.extend<object, { shop: string }>({
  shop: [
    async ({ organization, merchant }, use) => {
      const secrets: string[] = []
      const server = serve({ fetch: createShop({ merchant, secrets }).fetch, port: 0, hostname: '127.0.0.1' })
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      // From here, since a sandbox in a container cannot call this machine.
      const { secret = '', stop } = await organization.webhooks.forwardTo(`${url}/webhooks`)
      secrets.push(secret)
      await use(url)
      await stop()
      server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ shop }, use) => use(shop),
})

export { expect } from 'playwright/test'
