import type { Hono } from 'hono'
import { expect, test } from 'vitest'
import { blikRoutes } from '../../hosted-pages/blik/blik-routes.ts'
import { createPhoneRegistry, MAX_PHONES, MAX_PHONES_BY_PAGES } from '../../simulator/shoppers/phone-registry.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const [TOKEN, NAME] = ['hush', 'quiet-merchant']

const PATHS = [
  ...['/', '/?q=quiet', '/?from=1', '/blik', '/health', '/ready', '/openapi.yaml', '/nothing', '/quiet', '/iris/x'],
  ...['/portal', '/portal/sign-in', '/portal/organizations', '/portal/quiet', '/control', '/control/organizations'],
  ...['/control/openapi.json', '/control/openapi.yaml', '/control/journal', '/control/scenarios', '/assets/none'],
]

test('who has no control token is told no name of an organization', async () => {
  const { pagesUrl, controlPlane } = await startScopedSimulator({ controlToken: TOKEN })
  await controlPlane.organizations.create(NAME)
  for (const path of PATHS)
    for (const accept of path.startsWith('/control') ? ['*/*'] : ['text/html', 'application/json']) {
      const response = await fetch(`${pagesUrl}${path}`, { headers: { accept }, redirect: 'manual' })
      const said = `${JSON.stringify([...response.headers])}${await response.text()}`
      expect(said.includes(NAME), `${path} as ${accept}`).toBe(false)
      if (!path.includes('openapi')) expect(said.includes('demo-merchant'), `${path} as ${accept}`).toBe(false)
    }
})

test('who has the token, and everybody where none is set, finds the organizations on the first page', async () => {
  const closed = await startScopedSimulator({ controlToken: TOKEN })
  const open = await startScopedSimulator()
  const authorization = `Bearer ${TOKEN}`
  for (const [url, headers] of [
    [closed.pagesUrl, { authorization }],
    [open.pagesUrl, {}],
  ] as const)
    expect(await (await fetch(url, { headers })).text()).toContain('demo-merchant')
  expect(await (await fetch(closed.pagesUrl)).text()).toContain('organizations-hidden')
})

test('phones are made up to a limit, by strangers and by the operator', async () => {
  let made = MAX_PHONES_BY_PAGES - 1
  const store = {
    phoneCount: async () => made,
    addPhone: async () => {
      made += 1
    },
    mandatesOfPhone: async () => [],
  }
  const parts = { store, clock: { now: () => 0 }, ids: { secret: () => `phone-${made}` } }
  const phones = createPhoneRegistry(parts as unknown as Parameters<typeof createPhoneRegistry>[0])
  const organizations = { find: async (organizationId: string) => ({ organizationId }), search: async () => ({}) }
  const features = { phones, organizations, shopper: {}, mandates: {} } as unknown as Parameters<typeof blikRoutes>[0]
  const create = (app: Hono) =>
    app.request('/blik/quiet/phones', { method: 'POST', body: new URLSearchParams({ bank: phones.banks[0].id }) })
  const ownOrganization = async () => undefined
  const strangers = blikRoutes(features, { isOperator: () => false, ownOrganization })
  const together = await Promise.all([create(strangers), create(strangers), create(strangers)])
  expect(together.map(({ status }) => status)).toEqual([303, 429, 429])
  expect((await create(blikRoutes(features, { isOperator: () => true, ownOrganization }))).status).toBe(429)
  expect(made).toBe(MAX_PHONES_BY_PAGES)
  await phones.create('quiet', phones.banks[0].id) // control has phones left
  made = MAX_PHONES
  await expect(phones.create('quiet', phones.banks[0].id)).rejects.toThrow('has 10000 phones')
})
