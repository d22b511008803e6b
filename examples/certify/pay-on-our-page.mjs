// A driver of a hosted payment page, for `assay certify`: copy it, and change the selectors to those of your page.
//
//   shopper:
//     browser: ./pay-on-our-page.mjs      # relative to the profile
//     withinSeconds: 30                   # how long one payment may take, this script and your bank's stub together
//
// It is called once for each payment of IRIS, with a fresh Playwright page that is already at the redirect URL of the
// initiate response. Nothing is kept between calls: no cookies, no storage. Playwright comes with `npm install
// playwright` and its browser with `npx playwright install chromium`; another Chromium is named by CHROMIUM_PATH.
//
//   page           the Playwright page; its timeouts end at the deadline
//   outcome        'approve' or 'decline': what the shopper does
//   redirectUrl    the address that is open, should you want to go back to it
//   transactionId  the payment, for your log
//   deadline       epoch milliseconds by which the shopper has acted
//
// If it throws, the checks that need this payment are "blocked", with the first line of the error: nothing is held
// against the service. When it returns, certify reads the status of the payment until it no longer waits.

/** @param {{ page: import('playwright').Page, outcome: 'approve' | 'decline' }} given */
export default async ({ page, outcome }) => {
  // The bank sends the shopper back to the shop. That address need not exist, so wait for the request and not for a page.
  const bank = new URL(page.url()).origin
  const returned = page.waitForRequest(
    request => request.isNavigationRequest() && new URL(request.url()).origin !== bank,
  )
  await act(page, outcome)
  await returned
}

/** @param {import('playwright').Page} page @param {'approve' | 'decline'} outcome */
const act = async (page, outcome) => {
  // Select by what people see, a role and a name: that survives a new layout.
  if (outcome === 'decline') return page.getByRole('button', { name: /cancel/i }).click()

  // Pick a bank whose stub answers at once.
  await page.getByRole('link', { name: 'Alkyon Bank' }).click()

  // Sign in. A secret belongs into the environment of the run, not into this file.
  await page.getByLabel(/name/i).fill(process.env.BANK_USER ?? 'test shopper')
  await page.getByRole('button', { name: /sign in/i }).click()

  // Pick an account with enough money on it, then confirm.
  await page.getByRole('link', { name: /current/i }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}
