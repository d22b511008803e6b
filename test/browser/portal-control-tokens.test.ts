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
  await operator.goto(`${site.url}${PORTAL}/identities`)
  await expect(operator.getByTestId('control-token')).toHaveCount(0)
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
