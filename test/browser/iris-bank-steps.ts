import type { Page } from 'playwright'

/** Signs in at an IRIS bank under any name, in a browser test. */
export async function signInAtBank(page: Page, user = 'Maria'): Promise<void> {
  await page.getByTestId('iris-user').fill(user)
  await page.getByTestId('iris-sign-in').click()
  await page.getByTestId('iris-greeting').waitFor()
}

/**
 * Chooses a bank, signs in and chooses an account in a browser test, up to the IRIS page that asks for confirmation.
 */
export async function goToBankConfirmation(page: Page, bank: string, account = 'current'): Promise<void> {
  await page.getByTestId(`iris-bank-${bank}`).click()
  await signInAtBank(page)
  await page.getByTestId(`iris-account-${account}`).click()
  await page.getByTestId('iris-confirm').waitFor()
}

/** Chooses a bank, signs in, chooses an account and confirms the IRIS payment in a browser test. */
export async function confirmAtBank(page: Page, bank: string, account = 'current'): Promise<void> {
  await goToBankConfirmation(page, bank, account)
  await page.getByTestId('iris-confirm').click()
}
