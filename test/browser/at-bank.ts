import type { Page } from 'playwright'

/** Signs in at a bank under any name. */
export async function signIn(page: Page, user = 'Maria'): Promise<void> {
  await page.getByTestId('iris-user').fill(user)
  await page.getByTestId('iris-sign-in').click()
  await page.getByTestId('iris-greeting').waitFor()
}

/** From the choice of a bank to the page that asks for the decision. */
export async function atBank(page: Page, bank: string, account = 'current'): Promise<void> {
  await page.getByTestId(`iris-bank-${bank}`).click()
  await signIn(page)
  await page.getByTestId(`iris-account-${account}`).click()
  await page.getByTestId('iris-confirm').waitFor()
}

/** From the choice of a bank to the confirmation. */
export async function confirmAt(page: Page, bank: string, account = 'current'): Promise<void> {
  await atBank(page, bank, account)
  await page.getByTestId('iris-confirm').click()
}
