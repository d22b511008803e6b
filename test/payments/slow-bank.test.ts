import { expect, test } from 'vitest'
import { asking } from '../control/ask.ts'
import { initiated, merchantOf, runningSimulator } from '../support/running.ts'

/** A payment at a bank that is at work for 20 seconds after the shopper has said yes. */
async function confirmedAtSlowBank() {
  const simulator = await runningSimulator()
  const merchant = merchantOf(simulator)
  const transactionId = await initiated(merchant)
  const { organizationId } = simulator.kit
  const ask = (path: string, body: object) => asking(simulator)('POST', `organizations/${organizationId}/${path}`, body)
  const act = (body: object) => ask(`payments/${transactionId}/shopper`, body)
  await ask('clock', { freeze: true })
  const told = await act({ action: 'approve', after: 'PT20S' })
  const now = async () => {
    const answer = await merchant.status(transactionId)
    return answer.ok ? [answer.body.status, answer.body.statusInfo.reasonCode] : []
  }
  return { told, act, now, advance: (duration: string) => ask('clock', { advance: duration }) }
}

test('the yes counts when the bank has answered, and until then the merchant is told PENDING (3, E5)', async () => {
  const { told, now, advance } = await confirmedAtSlowBank()
  expect(told).toMatchObject({ status: 200, body: { outcome: 'waiting' } })
  await advance('PT19S')
  expect(await now()).toEqual(['PENDING', '-1'])
  await advance('PT1S')
  expect(await now()).toEqual(['ACCEPTED', '-1'])
})

test.each([{ action: 'approve' }, { action: 'approve', after: 'PT1S' }, { action: 'decline' }])(
  'once the bank is at work nothing more can be decided: %j',
  async decision => {
    const { act, now, advance } = await confirmedAtSlowBank()
    expect((await act(decision)).status).toBe(409)
    await advance('PT2S')
    expect(await now()).toEqual(['PENDING', '-1'])
    await advance('PT18S')
    expect(await now()).toEqual(['ACCEPTED', '-1'])
  },
)

test('a request that ends first stays ended, whatever the bank says afterwards (R7, 7.5 TIMEOUT)', async () => {
  const { act, now, advance } = await confirmedAtSlowBank()
  expect((await act({ action: 'lapse' })).status).toBe(200)
  await advance('PT30S')
  expect(await now()).toEqual(['DECLINED', '2000'])
})
