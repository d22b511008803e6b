import { expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { byLot } from '../support/lot.ts'
import { until } from '../support/poll.ts'
import { irisOf, merchantWith } from '../support/running.ts'
import { serveReady } from '../support/serve.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ORDERS = [
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
] as const

test.each(byLot(ORDERS, 1))(
  '%s waits for a call under way, %s after it for nobody, and what was acknowledged is there',
  async (first, second) => {
    const folder = temporaryFolder()
    const { child, said, ended, pagesUrl, kitFile } = await serveReady(folder)
    const merchant = merchantWith(readKit(kitFile))
    const before = await merchant.initiate(irisOf(merchant))
    const faults = `${pagesUrl}/control/organizations/demo-merchant/faults`
    const body = JSON.stringify({ operation: 'initiate', kind: 'slow', after: 'PT1M' })
    await fetch(faults, { method: 'POST', body })
    const slow = merchant.initiate(irisOf(merchant)).catch(() => undefined)
    await until(
      async () => (await fetch(faults)).text(),
      text => !text.includes('slow'),
    )

    child.kill(first)
    await until(
      () => said.stdout,
      text => text.includes(`${first}: finishing the calls under way\n`),
    )
    child.kill(second)
    expect([await ended, child.signalCode]).toEqual([null, second])
    await slow
    const again = merchantWith(readKit((await serveReady(folder)).kitFile))
    expect((await again.status(before.ok ? before.body.transactionId : '')).status).toBe(200)
  },
)
