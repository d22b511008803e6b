import { afterAll, describe, expect, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { connectToAny } from '../../simulator/store/postgres/server-connections.ts'
import { createServers } from '../../simulator/store/postgres/servers.ts'
import { startPostgresStandby } from '../outages/postgres-standby.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'
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

test.each([
  ['that has no connection left, before a standby', ['53300', '25006'], '53300'],
  ['that refuses the password, before one that is away', ['28P01', 'ECONNREFUSED'], '28P01'],
  ['without the database, after one that is away', ['ECONNREFUSED', '3D000'], '3D000'],
  ['that takes no changes, after one that is away', ['ECONNREFUSED', '25006'], '25006'],
])('of several hosts the cause told is that of the one %s', async (_, codes, told) => {
  const servers = createServers('postgres://a,b/assay')
  const refuse = async () => {
    const code = codes[servers.current() === 'postgres://a/assay' ? 0 : 1]
    throw Object.assign(new Error(code), { code })
  }
  await expect(connectToAny(servers, refuse)).rejects.toThrow(told)
  expect(servers.current()).toBe('postgres://a/assay')
})
