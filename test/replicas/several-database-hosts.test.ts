import { afterAll, describe, expect, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { startPostgresStandby } from '../outages/postgres-standby.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { findFreePort, startPostgres } from '../support/postgres-server.ts'
import { initiateIris, irisRequestOf } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

describe.skipIf(postgres === undefined)('an address of --store with several hosts', () => {
  test('6: uses the one that takes changes, and after a failover the one that was promoted', async () => {
    const primary = postgres as NonNullable<typeof postgres>
    const nowhere = await findFreePort()
    const standby = await startPostgresStandby(primary)
    const ports = [nowhere, standby.port, primary.port].map(port => `127.0.0.1:${port}`).join()
    const store = `postgres://assay@${ports}/postgres`
    const simulator = await startTestSimulator({ store: `${store}?target_session_attrs=read-write` })
    const merchant = createMerchant(simulator.credentials)
    const isReady = async () => (await fetch(simulator.healthUrl.replace('/health', '/ready'))).status
    const before = await initiateIris(merchant)

    primary.stop('immediate')
    expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(500)
    standby.promote()
    await pollUntil(isReady, status => status === 200)
    const after = await initiateIris(merchant)
    for (const transactionId of [before, after]) expect((await merchant.status(transactionId)).status).toBe(200)

    await simulator.stop()
    await expect(
      startTestSimulator({ store: `postgres://assay@127.0.0.1:${nowhere},127.0.0.1:${nowhere}/x` }),
    ).rejects.toThrow(`PostgreSQL at 127.0.0.1:${nowhere} and 127.0.0.1:${nowhere} cannot be reached`)
    standby.remove()
    primary.start() // as its removal expects
    merchant.close()
  })
})
