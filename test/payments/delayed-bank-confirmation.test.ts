import { expect, test } from 'vitest'
import { controlClient } from '../support/control-client.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

/** Approves an IRIS payment at a bank that confirms after 20 seconds. */
async function confirmedAtSlowBank() {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const transactionId = await initiateIris(merchant)
  const { organizationId } = simulator.kit
  const ask = (path: string, body: object) =>
    controlClient(simulator)('POST', `organizations/${organizationId}/${path}`, body)
  const act = (body: object) => ask(`payments/${transactionId}/shopper`, body)
  await ask('clock', { freeze: true })
  const told = await act({ action: 'approve', after: 'PT20S' })
  const now = async () => {
    const answer = await merchant.status(transactionId)
    return answer.ok ? [answer.body.status, answer.body.statusInfo.reasonCode] : []
  }
  return { told, act, now, advance: (duration: string) => ask('clock', { advance: duration }) }
}

test('the payment is PENDING until the bank confirms the approval (3, E5)', async () => {
  const { told, now, advance } = await confirmedAtSlowBank()
  expect(told).toMatchObject({ status: 200, body: { outcome: 'waiting' } })
  await advance('PT19S')
  expect(await now()).toEqual(['PENDING', '-1'])
  await advance('PT1S')
  expect(await now()).toEqual(['ACCEPTED', '-1'])
})

test.each([{ action: 'approve' }, { action: 'approve', after: 'PT1S' }, { action: 'decline' }])(
  'another decision is refused with 409 while the bank confirms: %j',
  async decision => {
    const { act, now, advance } = await confirmedAtSlowBank()
    expect((await act(decision)).status).toBe(409)
    await advance('PT2S')
    expect(await now()).toEqual(['PENDING', '-1'])
    await advance('PT18S')
    expect(await now()).toEqual(['ACCEPTED', '-1'])
  },
)

test('a payment that lapses before the bank confirms stays expired (R7, 7.5 TIMEOUT)', async () => {
  const { act, now, advance } = await confirmedAtSlowBank()
  expect((await act({ action: 'lapse' })).status).toBe(200)
  await advance('PT30S')
  expect(await now()).toEqual(['DECLINED', '2000'])
})
