import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'

const ORDERS = [
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
] as const

test.each(ORDERS)(
  '%s waits for calls in progress, a following %s ends at once, and acknowledged payments are stored',
  async (first, second) => {
    const folder = temporaryFolder()
    const { child, said, ended, pagesUrl, kitFile } = await startServe(folder)
    const merchant = merchantWith(readKit(kitFile))
    const before = await merchant.initiate(irisRequestOf(merchant))
    const faults = `${pagesUrl}/control/organizations/demo-merchant/faults`
    const body = JSON.stringify({ operation: 'initiate', kind: 'slow', after: 'PT1M' })
    await fetch(faults, { method: 'POST', body })
    const slow = merchant.initiate(irisRequestOf(merchant)).catch(() => undefined)
    await pollUntil(
      async () => (await fetch(faults)).text(),
      text => !text.includes('slow'),
    )

    child.kill(first)
    await pollUntil(
      () => said.stdout,
      text => text.includes(`${first}: finishing the calls under way\n`),
    )
    await setTimeout(1000) // sooner, it would be the same signal, passed on
    child.kill(second)
    expect([await ended, child.signalCode]).toEqual([null, second])
    await slow
    const again = merchantWith(readKit((await startServe(folder)).kitFile))
    expect((await again.status(before.ok ? before.body.transactionId : '')).status).toBe(200)
  },
)
