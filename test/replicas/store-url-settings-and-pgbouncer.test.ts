import { spawn } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { openPool } from '../../simulator/store/postgres/pool.ts'
import { ensureOwnSession } from '../../simulator/store/postgres/refuse-unsuitable-pooler.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'
import { postgresUser, startPostgres } from '../support/postgres-server.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const POOLER = '/usr/sbin/pgbouncer'
const OTHERS =
  '%20-c%20lock_timeout%3D5&application_name=mine&statement_timeout=0&idle_in_transaction_session_timeout=0'

describe.skipIf(postgres === undefined)('an address of --store with settings of its own', () => {
  test('6: replicas deliver each webhook once, whatever application_name it has', { timeout: 60_000 }, async () => {
    const store = `${await createPostgresSchema(postgres?.url ?? '')}${OTHERS}`
    const replicas = await Promise.all([1, 2, 3].map(() => startTestSimulator({ store })))
    const merchants = replicas.map(({ credentials }) => createMerchant(credentials))
    try {
      const [first] = replicas
      if (!first) throw new Error('There is no replica.')
      const receiver = await openWebhookReceiver()
      const { post } = organizationControl(first)
      expect((await post('webhooks', { url: receiver.url })).status).toBe(201)
      for (let round = 0; round < 10; round += 1) await Promise.all(merchants.map(one => initiateIris(one)))
      const heard = () => receiver.received.map(({ headers }) => headers['webhook-id'])
      await pollUntil(
        () => new Set(heard()).size,
        count => count >= 30,
      )
      await post('clock', { drain: true })
      expect(heard()).toHaveLength(30)
    } finally {
      for (const merchant of merchants) merchant.close()
      for (const replica of replicas) await replica.stop()
    }
  })

  test.each([
    ['team-2', 'team-2'],
    ['"Team 2",public', 'Team 2'],
    ['TEAM,public', 'team'],
  ])('is opened with search_path=%s, beside a schema whose name begins like it', async (path, schema) => {
    const other = openPool(postgres?.url ?? '', () => undefined)
    for (const name of ['team', 'team-2', 'Team 2', 'Team'])
      await other.run(raw(`CREATE SCHEMA IF NOT EXISTS "${name}"`))
    await other.end()
    const escaped = path.replaceAll(' ', '\\ ')
    const pool = openPool(
      `${postgres?.url}?options=${encodeURIComponent(`-c search_path=${escaped}`)}`,
      () => undefined,
    )
    onTestFinished(() => pool.end())
    await ensureOwnSession(pool, `${postgres?.url}?options=${encodeURIComponent(`-c search_path=${escaped}`)}`)
    expect(await pool.rows(sql`SELECT current_schema() AS schema`)).toEqual([{ schema }])
  })

  test.each(['a/b', 'a&b=c', 'we ird+%25@é:;,$'])('names the database %s percent-encoded', async name => {
    const other = openPool(postgres?.url ?? '', () => undefined)
    await other.run(raw(`CREATE DATABASE "${name}"`))
    await other.end()
    const pool = openPool((postgres?.url ?? '').replace(/postgres$/, encodeURIComponent(name)), () => undefined)
    onTestFinished(() => pool.end())
    expect(await pool.rows(sql`SELECT current_database() AS name`)).toEqual([{ name }])
  })

  test('time limits are ours (D-114)', async () => {
    const store = `${await createPostgresSchema(postgres?.url ?? '')}${OTHERS}`
    const pool = openPool(store, () => undefined)
    const [row] = await pool.rows(sql`
      SELECT current_setting('statement_timeout') AS statement, current_setting('application_name') AS name,
        current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('lock_timeout') AS lock`)
    await pool.end()
    expect(row).toEqual({ statement: '5s', name: 'assay', idle: '5s', lock: '0' })
  })
})

/** Starts PgBouncer in session mode before the PostgreSQL of this file; returns the address of --store by it. */
const startPooler = async (settings = '', mode = 'session'): Promise<string> => {
  const [folder, port] = [temporaryFolder(), await findFreePort()]
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${postgres?.port} user=assay
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${settings}
`,
  )
  const pooler = spawn(POOLER, ['-q', file], { ...postgresUser(), stdio: 'ignore' })
  onTestFinished(() => void pooler.kill('SIGKILL'))
  await pollUntil(
    () => isListening(port),
    open => open,
  )
  return `postgres://assay@127.0.0.1:${port}/postgres`
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

describe.skipIf(postgres === undefined || !existsSync(POOLER))('PgBouncer in session mode', () => {
  test('is used with the time limits of every session (D-114)', async () => {
    const simulator = await startTestSimulator({ store: await startPooler() })
    const merchant = createMerchant(simulator.credentials)
    await initiateIris(merchant)
    merchant.close()
    await simulator.stop()
    const pool = openPool(await startPooler(), () => undefined)
    const [row] = await pool.rows(sql`SELECT current_setting('statement_timeout') AS statement`)
    await pool.end()
    expect(row).toEqual({ statement: '5s' })
  })

  test.each([
    ['', 'is a pooler that takes no options in the address'],
    ['ignore_startup_parameters = options', 'The database ignores search_path='],
  ])('with a schema in the address and "%s" it is refused with the reason', async (settings, reason) => {
    const { search } = new URL(await createPostgresSchema(postgres?.url ?? ''))
    const store = `${await startPooler(settings)}${search}`
    await expect(startTestSimulator({ store })).rejects.toThrow(reason)
  })

  test.each(['transaction', 'statement'])('%s mode is refused with the reason', async mode => {
    const start = startTestSimulator({ store: await startPooler('', mode) })
    await expect(start).rejects.toThrow('a pooler that lends a session for one transaction: use its session mode')
  })
})
