import { test } from 'vitest'
import { startExampleShop } from '../conduct/example-shop-driver.ts'
import { FAULTY_SHOPS } from '../conduct/faulty-shops.ts'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { expect } from './open-browser.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, page } = {} as Visit
setUpPortalTests(visit => {
  ;({ site, page } = visit)
})

const rule = (id: string) => page.getByTestId('conduct-rule').filter({ hasText: id })
const begin = (name: string) =>
  page.getByTestId('conduct-drill').filter({ hasText: name }).getByTestId('drill-begin').click()

test('7.4: a drill is begun, the shop pays, and its end shows the call that breaks the rule', {
  timeout: 60_000,
}, async () => {
  const shop = await startExampleShop(site, FAULTY_SHOPS['CND-02']?.spoil)
  await page.goto(`${site.url}/portal/organizations/${shop.organization.id}`)
  await page.getByTestId('nav-conduct').click()
  await expect(rule('CND-02').locator('[data-verdict]')).toHaveAttribute('data-verdict', 'not exercised')
  await begin('DECLINED')
  await expect(page.getByTestId('drill-under-way')).toContainText('check that the shop says so')
  expect((await site.control('GET', `organizations/${shop.organization.id}/faults`)).faults).toHaveLength(1)
  expect(await accessibilityFlaws(page)).toEqual([])
  await page.reload()
  await shop.pay()
  await page.getByTestId('drill-end').click()
  const judged = page.getByTestId('drill-judged')
  await expect(judged.getByTestId('conduct-rule')).toHaveCount(1)
  await expect(judged).toContainText('sent again unchanged')
  expect(await accessibilityFlaws(page)).toEqual([])
  await judged.getByTestId('conduct-proof').first().click()
  await expect(page.getByTestId('journal-details')).toContainText('finalize')
  shop.close()
})

test('5.3: a drill of two runs names the current run, and moves the clock in between', async () => {
  await page.goto(`${site.url}/portal/organizations/demo-merchant/conduct`)
  await begin('TOKEN_ENDED')
  await expect(page.getByTestId('drill-under-way')).toContainText('1')
  const before = site.controlPlane.now('demo-merchant')
  await page.getByTestId('drill-between').click()
  expect(site.controlPlane.now('demo-merchant') - before).toBeGreaterThan(7_200_000)
  await expect(page.getByTestId('drill-between')).toHaveCount(0)
  await page.getByTestId('drill-end').click()
  await expect(page.getByTestId('drill-judged').locator('[data-verdict="not exercised"]')).toHaveCount(1)
})

test('5.2: keys are rotated by hand: the new ones are offered from the second run on, with their evidence', {
  timeout: 60_000,
}, async () => {
  const shop = await startExampleShop(site)
  await page.goto(`${site.url}/portal/organizations/${shop.organization.id}/conduct`)
  await expect(rule('CND-19')).toContainText('a new signing key is used while the old one is still valid')
  await expect(page.getByTestId('checkout-rule')).toHaveCount(6)
  await begin('KEY_ROTATION')
  await shop.pay()
  await expect(page.getByTestId('drill-kit')).toHaveCount(0)
  await page.getByTestId('drill-between').click()
  await expect(page.getByTestId('drill-kit')).toHaveAttribute('href', /\/kit$/)
  await shop.pay()
  await page.getByTestId('drill-between').click()
  await shop.pay()
  await page.getByTestId('drill-end').click()
  const judged = page.getByTestId('drill-judged')
  await expect(judged.locator('[data-verdict="pass"]')).toHaveCount(1)
  await expect(judged.getByTestId('conduct-proof').first()).toContainText('→ 200')
  expect(await accessibilityFlaws(page)).toEqual([])
  shop.close()
})

test('a drill under way is shown wherever one comes from, until it is ended', { timeout: 60_000 }, async () => {
  const conduct = `${site.url}/portal/organizations/demo-merchant/conduct`
  await page.goto(conduct)
  await begin('TOKEN_ENDED')
  const underWay = page.getByTestId('drill-under-way')
  await expect(underWay).toContainText('Run 1 of 2')
  await page.getByTestId('drill-between').click()
  await page.getByTestId('nav-journal').click()
  await page.getByTestId('nav-conduct').click()
  await expect(underWay).toContainText('TOKEN_ENDED')
  await expect(underWay).toContainText('Run 2 of 2')
  const refused = await fetch(`${conduct}/begin`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'NONE' }),
    headers: { Origin: site.url },
  })
  expect(await refused.text()).toContain('data-testid="drill-under-way"')
  await begin('LOST_INITIATE')
  await page.goto(conduct)
  await expect(underWay).toContainText('LOST_INITIATE')
  await page.getByTestId('drill-end').click()
  await expect(page.getByTestId('drill-judged')).toBeVisible()
  await expect(underWay).toHaveCount(0)
  await page.getByTestId('nav-conduct').click()
  await expect(page.getByTestId('conduct-drill').first()).toBeVisible()
  await expect(underWay).toHaveCount(0)
  expect((await site.control('GET', `${site.here}/faults`)).faults).toEqual([])
})

test('an unknown drill is refused in one sentence', async () => {
  const here = `${site.url}/portal/organizations/demo-merchant/conduct`
  for (const [way, fields] of [
    ['begin', { name: 'NONE' }],
    ['end', { name: 'DECLINED', since: 'noon' }],
  ] as const) {
    const answer = await fetch(`${here}/${way}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: site.url },
    })
    expect([way, answer.status]).toEqual([way, 400])
    expect(await answer.text()).toContain('data-testid="portal-refused"')
  }
})
