import { chromium } from 'playwright'
import { chromiumOptions } from './support/browser.ts'
import { openShop } from './conduct/shop-world.ts'
import { SPOILED } from './conduct/spoils.ts'
import { startTestSimulator } from './support/simulator.ts'
const simulator = await startTestSimulator()
const shop = await openShop(simulator, SPOILED['CND-02']?.spoil as never)
await shop.drill('PLAIN_PAYMENT'); await shop.drill('KEY_ROTATION')
const browser = await chromium.launch(chromiumOptions())
const url = `${simulator.pagesUrl}/portal/organizations/${shop.organization.id}/conduct`
const page = await (await browser.newContext({ colorScheme: 'light', viewport: { width: 1280, height: 900 } })).newPage()
await page.goto(url)
await page.getByTestId('conduct-drill').filter({ hasText: 'DECLINED' }).getByTestId('drill-begin').click()
await page.screenshot({ path: '/tmp/shots8/begun.png' })
await shop.pay()
await page.getByTestId('drill-end').click()
await page.screenshot({ path: '/tmp/shots8/light.png', fullPage: true })
const ended = page.url()
await page.goto(url)
await page.getByTestId('conduct-drill').filter({ hasText: 'KEY_ROTATION' }).getByTestId('drill-begin').click()
await page.getByTestId('drill-between').click()
await page.screenshot({ path: '/tmp/shots8/keys.png' })
for (const [name, options] of Object.entries({
  dark: { colorScheme: 'dark', locale: 'pl-PL', viewport: { width: 1280, height: 1300 } },
  narrow: { colorScheme: 'light', locale: 'el-GR', viewport: { width: 360, height: 1500 } },
})) {
  const other = await (await browser.newContext(options as never)).newPage()
  await other.goto(ended)
  await other.screenshot({ path: `/tmp/shots8/${name}.png` })
  console.log(name, await other.evaluate(() => [document.documentElement.scrollWidth, innerWidth]))
}
await browser.close(); shop.close(); await simulator.stop()
