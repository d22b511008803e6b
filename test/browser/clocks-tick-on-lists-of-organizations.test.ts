import { test } from 'vitest'
import { expect } from './open-browser.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let visit: Visit
setUpPortalTests(arrived => {
  visit = arrived
})

test.each([
  ['/', '[data-testid=organization-clock]'],
  ['/portal/organizations', '[data-testid=organization-row] time'],
])(
  'at %s the clock of an organization ticks with its seconds, and stands still where it is frozen',
  async (path, at) => {
    const { site, page } = visit
    const clock = `organizations/demo-merchant/clock`
    await site.control('POST', clock, { freeze: false })
    await page.clock.install()
    await page.goto(site.url + path)
    const time = page.locator(at).first()
    const before = await time.textContent()
    await page.clock.runFor(90_000)
    await expect(time).not.toHaveText(before ?? '')
    await site.control('POST', clock, { freeze: true })
    await page.goto(site.url + path)
    const frozen = (await time.textContent()) ?? ''
    await page.clock.runFor(90_000)
    await expect(time).toHaveText(frozen)
  },
)
