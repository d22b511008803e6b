import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { controlClient, createMerchantOrganization, organizationControl } from '../support/control-client.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { initiateIris, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const LONGEST = `ci-${'4f3a9b8c7d'.repeat(5)}x`

test('the longest id of an organization makes accounts that take payments', async () => {
  const simulator = await startScopedSimulator()
  expect(LONGEST).toHaveLength(54)
  const { organizationId, merchant } = await createMerchantOrganization(simulator, LONGEST)
  const transactionId = await initiateIris(merchant)
  const { payments } = (await organizationControl(simulator, organizationId).get('payments')).body
  expect(payments).toMatchObject([{ transactionId }])
})

test('a longer id, whose accounts no request may name, is refused by control and portal', async () => {
  const simulator = await startScopedSimulator()
  const sentence = 'An organization id is 1 to 54 lowercase letters, digits and hyphens, with no hyphen in front.'
  const id = `${LONGEST}y`
  const { status, body } = await controlClient(simulator)('POST', 'organizations', { id })
  expect([status, body]).toEqual([400, { error: sentence }])
  const sent = { method: 'POST', body: new URLSearchParams({ id }) }
  const page = await fetch(`${simulator.pagesUrl}/portal/organizations`, sent)
  expect(await page.text()).toContain(sentence)
})

test('an organization of an earlier version with a longer id stays, also where the file of --init names it', async () => {
  const first = await startScopedSimulator()
  await createMerchantOrganization(first, LONGEST)
  await first.stop()
  const id = `${LONGEST}-worker-7`
  const store = await openTestStore(first.dataDir)
  const made = await store.organization(LONGEST)
  if (!made) throw new Error('The organization was not stored.')
  await store.addOrganization({ ...made, organizationId: id, certificates: [], signingKeys: [] })
  await store.close()
  const init = join(first.dataDir, 'init.yaml')
  writeFileSync(init, `organizations:\n  - id: ${id}\n    webhooks: [{ url: 'http://localhost:1/hook' }]\n`)
  const second = await startScopedSimulator({ dataDir: first.dataDir, init })
  const { status, body } = await organizationControl(second, id).get('webhooks')
  expect([status, body.webhooks]).toMatchObject([200, [{ url: 'http://localhost:1/hook' }]])
  expect((await fetch(`${second.pagesUrl}/portal/organizations/${id}/clock`)).status).toBe(200)
})
