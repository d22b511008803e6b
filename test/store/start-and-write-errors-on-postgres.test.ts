import { randomUUID } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createErrorReporter } from '../../simulator/startup/error-reporter.ts'
import { openPool } from '../../simulator/store/postgres/pool.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { createSelfSignedIdentity } from '../support/generate-keys-and-certificates.ts'
import { pollUntil } from '../support/poll-until.ts'
import { postgresUser, startPostgres } from '../support/postgres-server.ts'
import { initiateIris, irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const ask = async (...statements: readonly string[]) => {
  const client = new pg.Client(postgres?.url ?? '')
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Creates a schema with its own user, who has no other rights. */
const place = async () => {
  const [user, schema] = [`u_${randomUUID().slice(0, 8)}`, `s_${randomUUID().slice(0, 8)}`]
  await ask(`CREATE ROLE ${user} LOGIN`, `CREATE SCHEMA ${schema} AUTHORIZATION ${user}`)
  const address = (database: string, setting: string) =>
    `postgres://${user}@127.0.0.1:${postgres?.port}/${database}?options=${encodeURIComponent(`-c ${setting}`)}`
  return { user, schema, address, store: address('postgres', `search_path=${schema}`) }
}

const READ_ONLY =
  'takes no changes: turn default_transaction_read_only off, or name the server that standbys follow in --store.'
const NO_RIGHTS =
  'gives the user of --store too few rights: grant it CREATE on the schema, and make it the owner of the tables there.'
const NO_SCHEMA = 'has no schema that this user may use: create it, grant its rights, or mend search_path in --store.'
const OF_ANOTHER =
  'has something of another program in this schema: give the sandbox a schema of its own by search_path in --store, or another database.'
const NO_TLS = 'has no TLS: turn ssl on there, or set sslmode=disable in --store.'
const CERTIFICATE =
  'shows a TLS certificate that cannot be verified: set sslrootcert=FILE in --store, its authority, and a host that it names, or sslmode=no-verify to accept any.'
const CROWDED = 'has no connection left for this user: end some, or raise max_connections or the limit of the user.'
const FULL = 'is full: free some space there or choose another --store.'

describe.skipIf(postgres === undefined)('a start that PostgreSQL refuses fails in one sentence', () => {
  type Place = Awaited<ReturnType<typeof place>>
  const used = async (): Promise<Place> => {
    const made = await place()
    await (await startScopedSimulator({ store: made.store })).stop()
    return made
  }
  const spoiled = async (spoil: (made: Place) => readonly string[], begin: () => Promise<Place> = place) => {
    const made = await begin()
    await ask(...spoil(made))
    return made.store
  }
  // biome-ignore format: a table reads by its columns
  const STARTS: readonly (readonly [what: string, store: () => Promise<string>, sentence: string])[] = [
    ['a user who may only read',      () => spoiled(({ user }) => [`ALTER ROLE ${user} SET default_transaction_read_only = on`]), READ_ONLY],
    ['the same in use before',        () => spoiled(({ user }) => [`ALTER ROLE ${user} SET default_transaction_read_only = on`], used), READ_ONLY],
    ['a schema of somebody else',     async () => (await place()).address('postgres', 'search_path=public'),                      NO_RIGHTS],
    ['a schema that is closed',       () => spoiled(({ user, schema }) => [`REVOKE ALL ON SCHEMA ${schema} FROM ${user}`]),       NO_SCHEMA],
    ['tables of somebody else',       () => spoiled(({ schema }) => [`ALTER TABLE ${schema}.assay_migrations OWNER TO assay`], used), NO_RIGHTS],
    ['a table that may not be read',  () => spoiled(({ user, schema }) => [`REVOKE ALL ON ${schema}.settings FROM ${user}`], used), NO_RIGHTS],
    ['a table that is gone',          () => spoiled(({ schema }) => [`DROP TABLE ${schema}.settings`], used),                     'lacks tables that were there: put back a copy of the database or choose another --store.'],
    ['a user without connections',    () => spoiled(({ user }) => [`ALTER ROLE ${user} CONNECTION LIMIT 0`]),                     CROWDED],
    ['a user with one connection',    () => spoiled(({ user }) => [`ALTER ROLE ${user} CONNECTION LIMIT 1`], used),               CROWDED],
    ['a user who may not come in',    () => spoiled(({ user }) => [`ALTER ROLE ${user} NOLOGIN`]),                                'refuses the user or password: mend --store, where the password is percent-encoded.'],
    ['a database that is none',       async () => (await place()).address('nowhere', 'search_path=public'),                       'has no such database: create it, or mend --store.'],
    ['a schema that is none',         async () => (await place()).address('postgres', 'search_path=nowhere'),                     NO_SCHEMA],
    ['a schema that is none, beside one that is', async () => (await place()).address('postgres', 'search_path=nowhere,public'), NO_SCHEMA],
    ['a certificate that is none',    async () => (await place()).address('postgres', 'a=1').replace('options=', 'sslrootcert=/nowhere/ca.pem&options='), 'cannot be used: /nowhere/ca.pem cannot be read (ENOENT): mend --store.'],
    ['a server without TLS',          async () => (await place()).address('postgres', 'a=1').replace('options=', 'sslmode=require&options='), NO_TLS],
    ['a setting that is none',        async () => (await place()).address('postgres', 'nothing=1'),                               'cannot be used (42704): mend --store.'],
  ]

  test.each(STARTS)('%s', async (_, storeOf, sentence) => {
    const start = startScopedSimulator({ store: await storeOf() })
    await expect(start).rejects.toThrow(new StartError(`PostgreSQL at 127.0.0.1:${postgres?.port} ${sentence}`))
    await expect(start).rejects.toBeInstanceOf(StartError)
  })

  test('tables of a build from before the first release are refused, with the cure, and not changed', async () => {
    const { schema, store } = await place()
    await ask(
      `CREATE TABLE ${schema}.assay_schema (step BIGINT PRIMARY KEY)`,
      `CREATE TABLE ${schema}.records (until BIGINT)`,
    )
    const start = startScopedSimulator({ store })
    await expect(start).rejects.toThrow(
      new StartError(
        'The database was written by an Assay from before its first release: drop its tables, or choose another --store.',
      ),
    )
    await ask(`SELECT step FROM ${schema}.assay_schema`, `SELECT until FROM ${schema}.records`)
    await ask(`CREATE TABLE ${schema}.assay_migrations ()`) // fails if the start has made one
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['table', 'TABLE', '(id BIGINT)'],
    ['view',  'VIEW',  'AS SELECT 1 AS id'],
    ['type',  'TYPE',  "AS ENUM ('mine')"],
  ])('a %s of another program is refused, with the cure, and nothing is left in its schema', async (_, kind, is) => {
    const { schema, store } = await place()
    await ask(`CREATE ${kind} ${schema}.jobs ${is}`)
    const start = startScopedSimulator({ store })
    await expect(start).rejects.toThrow(new StartError(`PostgreSQL at 127.0.0.1:${postgres?.port} ${OF_ANOTHER}`))
    await ask(`DROP ${kind} ${schema}.jobs`, `DROP SCHEMA ${schema}`) // fails if anything else is in it
  })

  test('also when the first refused statement counts the runs of a variety seed', async () => {
    const readable = ({ user, schema }: Place) => [`REVOKE INSERT, UPDATE ON ${schema}.settings FROM ${user}`]
    const start = startScopedSimulator({ store: await spoiled(readable, used), variety: '4711' })
    await expect(start).rejects.toThrow(new StartError(`PostgreSQL at 127.0.0.1:${postgres?.port} ${NO_RIGHTS}`))
  })

  test.each(['LATIN1', 'SQL_ASCII'])('a database in %s, which lacks letters of payments', async encoding => {
    const { user, address } = await place()
    const name = `d_${encoding.toLowerCase()}`
    await ask(`CREATE DATABASE ${name} OWNER ${user} ENCODING '${encoding}' TEMPLATE template0`)
    const start = startScopedSimulator({ store: address(name, 'search_path=public') })
    const sentence = `The database has the encoding ${encoding}: create one with ENCODING 'UTF8' TEMPLATE template0, and name it in --store.`
    await expect(start).rejects.toThrow(new StartError(sentence))
  })

  test('without the password', async () => {
    const store = (await place()).address('nowhere', 'a=1').replace('@', ':hush@')
    const sentence = `PostgreSQL at 127.0.0.1:${postgres?.port} has no such database: create it, or mend --store.`
    await expect(startScopedSimulator({ store })).rejects.toThrow(new StartError(sentence))
  })
})

describe.skipIf(postgres === undefined)('PostgreSQL with a certificate that it has made itself', () => {
  let file = ''
  beforeAll(async () => {
    const { certificate, privateKey } = await createSelfSignedIdentity()
    file = join(postgres?.folder ?? '', 'server.crt')
    const key = join(postgres?.folder ?? '', 'server.key')
    writeFileSync(file, certificate)
    writeFileSync(key, privateKey, { mode: 0o600 })
    const owner = postgresUser()
    if (owner) chownSync(key, owner.uid, owner.gid)
    await ask(`ALTER SYSTEM SET ssl_cert_file = '${file}'`, `ALTER SYSTEM SET ssl_key_file = '${key}'`)
    await ask('ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
    await pollUntil(
      () =>
        ask(`DO 'BEGIN ASSERT current_setting(''ssl'') = ''on''; END'`).then(
          () => true,
          () => false,
        ),
      isOn => isOn,
    )
  })
  const withTls = async (settings: string) =>
    (await place()).address('postgres', 'a=1').replace(/options=.*$/, settings)

  test.each(['require', 'verify-ca', 'verify-full'])(
    'is refused with sslmode=%s, with the cure, and without a warning of the driver',
    async mode => {
      const warn = vi.spyOn(process, 'emitWarning')
      onTestFinished(() => warn.mockRestore())
      const start = startScopedSimulator({ store: await withTls(`sslmode=${mode}`) })
      await expect(start).rejects.toThrow(new StartError(`PostgreSQL at 127.0.0.1:${postgres?.port} ${CERTIFICATE}`))
      expect(warn).not.toHaveBeenCalled()
    },
  )

  test.each([
    'sslmode=no-verify',
    'sslmode=require&uselibpqcompat=true',
    'sslmode=verify-ca&uselibpqcompat=true&sslrootcert=',
  ])('is taken with %s', async settings => {
    const store = await withTls(settings.replace(/sslrootcert=$/, `sslrootcert=${file}`))
    const pool = openPool(store, () => undefined)
    onTestFinished(() => pool.end())
    expect(await pool.rows(sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)).toEqual([{ ssl: true }])
  })
})

describe.skipIf(postgres === undefined)('7.1, I3: PostgreSQL that refuses writes while the sandbox runs', () => {
  const system = (name: string, value: string) => [
    'SET default_transaction_read_only = off',
    `ALTER SYSTEM SET ${name} = ${value}`,
    'SELECT pg_reload_conf()',
  ]
  type At = { user: string; schema: string }
  // biome-ignore format: a table reads by its columns
  const TROUBLES: readonly (readonly [what: string, begin: (at: At) => readonly string[], end: (at: At) => readonly string[], told: string])[] = [
    ['is read-only',          () => system('default_transaction_read_only', 'on'),                  () => system('default_transaction_read_only', 'off'),                   `PostgreSQL ${READ_ONLY}`],
    ['withdraws its rights',  ({ user, schema }) => [`REVOKE ALL ON ${schema}.payments FROM ${user}`], ({ user, schema }) => [`GRANT ALL ON ${schema}.payments TO ${user}`], `PostgreSQL ${NO_RIGHTS}`],
    ['has a full disk',       ({ schema }) => [saysFull(schema), `CREATE TRIGGER filled BEFORE INSERT ON ${schema}.payments EXECUTE FUNCTION ${schema}.say_full()`], ({ schema }) => [`DROP TRIGGER filled ON ${schema}.payments`], `The disk of PostgreSQL ${FULL}`],
  ]
  const saysFull = (schema: string) => `
    CREATE FUNCTION ${schema}.say_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`

  test.each(TROUBLES)('%s', async (what, begin, end, told) => {
    const at = await place()
    const said: string[] = []
    const onError = createErrorReporter('/data', { error: (_, text = '') => said.push(text) })
    const simulator = await startScopedSimulator({ store: at.store }, { onError })
    const merchant = merchantOf(simulator)
    const ready = async () => (await fetch(simulator.healthUrl.replace('/health', '/ready'))).status
    const paid = await initiateIris(merchant)
    const buy = () => merchant.initiate(irisRequestOf(merchant), { idempotencyKey: 'the-key' })

    onTestFinished(() => ask(...system('default_transaction_read_only', 'off')))
    await ask(...begin(at))
    await expect.poll(async () => (await buy()).status).toBe(500)
    if (what === 'is read-only') expect([(await merchant.status(paid)).status, await ready()]).toEqual([200, 503])
    await ask(...end(at))
    await expect.poll(async () => (await buy()).status).toBe(200)
    expect(said).toEqual([
      `${told} Until then calls that would change something are answered with 500, and their keys stay unused.`,
    ])
  })
})
