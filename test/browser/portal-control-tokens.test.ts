import { afterAll, beforeAll, test } from 'vitest'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

const TOKEN = 'a-token-for-browsers-10'

let site: PortalSandbox
let browser: TestBrowser

beforeAll(async () => {
  site = await startPortalSandbox({ controlToken: TOKEN })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

const signIn = async (path: string, token: string) => {
  const page = await browser.newPage()
  await page.goto(site.url + path)
  await page.getByTestId('token-field').fill(token)
  await page.getByTestId('portal-sign-in').click()
  return page
}

test('the operator makes a token, a merchant sees its organization by it alone, until it is revoked', async () => {
  const operator = await signIn(`${PORTAL}/identities`, TOKEN)
  await operator.getByTestId('open-create-control-token').click()
  await operator.getByTestId('name-field').fill('A person of the shop')
  await operator.getByTestId('role-field').selectOption('read')
  await operator.getByTestId('create-control-token').click()
  const token = (await operator.getByTestId('control-token').textContent()) ?? ''
  expect(token).toMatch(/^assay\.demo-merchant\./)
  expect(await accessibilityFlaws(operator)).toEqual([])
  await operator.reload()
  await expect(operator.getByTestId('control-token-row')).toHaveCount(1)
  await expect(operator.getByTestId('control-token')).toHaveCount(0)
  const cookies = await operator.context().cookies()
  expect(cookies.filter(({ name }) => name.startsWith('assay-made'))).toEqual([])
  await expect(operator.getByTestId('control-token-row')).toContainText('A person of the shop')

  const merchant = await signIn('/portal/organizations', token)
  await expect(merchant).toHaveURL(`${site.url}${PORTAL}`)
  await merchant.getByTestId('nav-journal').click()
  await expect(merchant).toHaveURL(`${site.url}${PORTAL}/journal`)
  await merchant.getByTestId('nav-webhooks').click()
  await merchant.goto(`${site.url}/portal/organizations/another`)
  await expect(merchant.getByTestId('portal-forbidden')).toContainText('demo-merchant')
  expect(await accessibilityFlaws(merchant)).toEqual([])

  await operator.getByText('Revoke', { exact: true }).last().click()
  await operator.getByTestId('revoke-control-token').click()
  await expect(operator.getByTestId('portal-done')).toBeVisible()
  await merchant.goto(`${site.url}${PORTAL}`)
  await expect(merchant.getByTestId('token-field')).toBeVisible()
})

test.each(['read', 'act'])(
  'the pages offer a token of the role %s nothing that it may not do',
  { timeout: 120_000 },
  async role => {
    const bearer = { authorization: `Bearer ${TOKEN}` }
    const control = async (path: string, body: object) =>
      (
        await fetch(`${site.url}/control/${site.here}${path}`, {
          method: 'POST',
          headers: bearer,
          body: JSON.stringify(body),
        })
      ).json()
    const { token } = await control('/control-tokens', { name: `Who may ${role}`, role })
    const { endpointId } = await control('/webhooks', { url: 'http://shop.example/hooks' })
    await control(`/webhooks/${endpointId}/test`, {})
    const page = await signIn('/portal/organizations', token)
    const acts = page.locator('form[method=post]:not([action$="/sign-out"], [action$="/lab"]) button, button[form]')
    const asked = new Set<string>()
    const sections = [
      'journal',
      'payments',
      'scenarios',
      'conduct',
      'clock',
      'webhooks',
      'inbox',
      'identities',
      'lab',
      'reports',
      'capabilities',
      'dialect',
    ]
    for (const path of ['/', PORTAL, ...sections.map(section => `${PORTAL}/${section}`)]) {
      await page.goto(site.url + path)
      if (role === 'read') expect([path, await acts.filter({ visible: true }).allInnerTexts()]).toEqual([path, []])
      if (path !== '/') await expect(page.getByTestId('portal-read-only')).toHaveCount(role === 'read' ? 1 : 0)
      const links = page.locator('a[href^="/"]').filter({ visible: true })
      for (const href of await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? '')))
        asked.add(href)
    }
    for (const href of asked)
      expect([href, (await page.request.get(site.url + href, { maxRedirects: 0 })).status()]).not.toEqual([href, 403])
    await page.goto(`${site.url}${PORTAL}/webhooks`)
    await expect(page.getByTestId('endpoint-row')).toContainText('http://shop.example/hooks')
    expect(await accessibilityFlaws(page)).toEqual([])
    await expect(page.getByTestId('open-add-endpoint')).toBeVisible({ visible: role === 'act' })
    await page.goto(`${site.url}${PORTAL}/lab`)
    await page.getByTestId('lab-examine').click()
    await expect(page.getByTestId('portal-forbidden')).toHaveCount(0)
    await fetch(`${site.url}/control/${site.here}/webhooks/${endpointId}`, { method: 'DELETE', headers: bearer })
  },
)

test.each(['read', 'act', 'admin'])('no page shows a token of the role %s what control refuses it', async role => {
  const ask = async (path: string, shown: string, sent: RequestInit = {}) =>
    fetch(site.url + path, { ...sent, headers: { authorization: `Bearer ${shown}` } })
  const make = async (path: string, body: object) =>
    (await ask(path, TOKEN, { method: 'POST', body: JSON.stringify(body) })).json()
  const here = `/control/${site.here}`
  const other = `strangers-${role}`
  await make('/control/organizations', { id: other })
  const { token, tokenId } = await make(`${here}/control-tokens`, { name: `Who looks as ${role}`, role })
  const { endpointId, secrets } = await make(`${here}/webhooks`, { url: 'http://shop.example/secret' })
  await make(`${here}/webhooks/${endpointId}/test`, {})
  const kit = await (await ask(`${here}/kit`, TOKEN)).json()
  const kept: [path: string, texts: string[]][] = [
    [`${here}/control-tokens`, [`Who looks as ${role}`, tokenId]],
    [`${here}/kit`, [kit, kit.signingKeys[0]].map(({ privateKey }) => privateKey.split('\n')[1])],
    [`${here}/webhooks/${endpointId}`, [secrets[0].secret]],
    [`/control/organizations/${other}/clock`, [other]],
    ['/control/journal', ['Calls that belong to no organization']],
  ]
  const refused: string[] = []
  for (const [path, texts] of kept) if ((await ask(path, token)).status === 403) refused.push(...texts)
  expect(refused).not.toContain(undefined)

  const asked = new Set(['/', PORTAL, '/portal/journal', `/portal/organizations/${other}`])
  const shown: [page: string, secret: string][] = []
  for (const path of asked) {
    const text = await (await ask(path, token)).text()
    for (const secret of refused) if (text.includes(secret)) shown.push([path, secret])
    for (const [, href] of text.matchAll(/<a [^>]*href="(\/portal[^"?#]*)/g)) asked.add(String(href))
  }
  expect(shown).toEqual([])
  expect(asked).toContain(`${PORTAL}/identities`)
  await ask(`${here}/webhooks/${endpointId}`, TOKEN, { method: 'DELETE' })
})

test('without a script a new token is shown once on a page that may be reloaded and given another theme', async () => {
  const bearer = { authorization: `Bearer ${TOKEN}` }
  const sent = { method: 'POST', headers: bearer, redirect: 'manual' } as const
  const body = new URLSearchParams({ name: 'Without a script', role: 'act' })
  const made = await fetch(`${site.url}${PORTAL}/control-tokens`, { ...sent, body })
  const [page = '', cookie = ''] = [made.headers.get('location'), made.headers.get('set-cookie')].map(String)
  expect([made.status, await made.text()]).toEqual([303, ''])
  const [pair = ''] = cookie.split(';', 1)
  const token = pair.split('=')[1] ?? ''
  expect(token).toMatch(/^assay\.demo-merchant\./)
  expect(page).not.toContain(token)
  expect(cookie).toMatch(
    /; Path=\/portal\/organizations\/demo-merchant\/identities; Max-Age=60; HttpOnly; SameSite=Strict$/,
  )
  const open = (path: string, headers = {}) => fetch(site.url + path, { headers: { ...bearer, ...headers } })
  expect(await (await open(`${PORTAL}/identities`, { cookie: pair })).text()).not.toContain(token)
  const shown = await open(page, { cookie: pair })
  expect(await shown.text()).toContain(token)
  expect(shown.headers.get('set-cookie')).toContain('Max-Age=0')
  expect(shown.headers.get('cache-control')).toContain('no-transform')
  expect(await (await open(page)).text()).not.toContain(token)
  const theme = await fetch(`${site.url}/appearance`, { ...sent, headers: { ...bearer, referer: site.url + page } })
  expect((await open(theme.headers.get('location') ?? '')).status).toBe(200)
})
