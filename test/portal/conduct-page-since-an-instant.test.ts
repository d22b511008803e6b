import { expect, test } from 'vitest'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

test('the verdicts on a drill are shown since an instant as the page writes it, and since no other text', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const shown = async (since: string) => {
    const query = new URLSearchParams({ judged: 'WEBHOOK_OF_TOMORROW', since })
    const page = await fetch(`${pagesUrl}/portal/organizations/demo-merchant/conduct?${query}`)
    return [page.status, (await page.text()).includes('data-testid="drill-judged"')]
  }
  expect(await shown('2026-02-28T10:00:00.000Z')).toEqual([200, true])
  for (const other of ['2026-02-30T10:00:00.000Z', '1', '2026-02-28', 'May', ''])
    expect(await shown(other), other).toEqual([200, false])
})
