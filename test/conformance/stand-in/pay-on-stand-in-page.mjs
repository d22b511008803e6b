// The shopper of the stand-in's payment page: picks a bank, then pays or cancels, and comes back to the shop.
// A profile names this file as shopper.browser; the page is already at the redirect URL.

/** @param {{ page: import('playwright').Page, outcome: 'approve' | 'decline' }} task */
export default async ({ page, outcome }) => {
  await page.locator('select[name=bank]').selectOption({ index: 1 })
  const back = page.waitForRequest(/shop\.example/) // returnUrl of the checks: nobody answers there
  await page.getByRole('button', { name: outcome === 'approve' ? 'Pay' : 'Cancel' }).click()
  await back
}
