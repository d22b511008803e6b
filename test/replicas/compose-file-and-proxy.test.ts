import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'
import { OPTIONS, toEnvironmentName } from '../../simulator/options/options.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { readSource } from '../architecture/read-source-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'

const postgres = await startPostgres()
const hasProxy = spawnSync('haproxy', ['-v']).status === 0
const CONFIGURATION = readSource('examples/replicas/haproxy.cfg')
afterAll(() => postgres?.remove())

describe('the compose file of replicas', () => {
  const text = readSource('examples/replicas/compose.yaml')
  const { services, volumes } = parse(text, { strict: true, uniqueKeys: true, merge: true })
  const replicas = Object.keys(services).filter(name => name.startsWith('replica-'))

  test('has identical replicas over a PostgreSQL with a volume and a health check', () => {
    expect(replicas).toEqual(['replica-1', 'replica-2'])
    expect(services['replica-1']).toEqual(services['replica-2'])
    expect(services['replica-1'].depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(services['replica-1'].environment.ASSAY_STORE).toMatch(/^postgres:\/\/assay:.*@postgres\/assay$/)
    expect(services.postgres.healthcheck.test).toContain('pg_isready')
    expect(services.postgres.volumes[0].split(':')[0]).toBe(Object.keys(volumes)[0])
  })

  test('publishes only the ports of a proxy, which waits for all replicas and routes to each', () => {
    expect(Object.keys(services).filter(name => services[name].ports)).toEqual(['proxy'])
    expect(services.proxy.ports).toEqual(['8443:8443', '8080:8080'])
    expect(Object.keys(services.proxy.depends_on)).toEqual(replicas)
    for (const name of replicas)
      for (const port of ['8443', '8080']) expect(CONFIGURATION).toContain(`${name}:${port} check`)
  })

  test('names only environment variables that exist', () => {
    const known = [...Object.keys(OPTIONS).map(toEnvironmentName), 'ASSAY_IMAGE']
    const named = Array.from(text.matchAll(/ASSAY_[A-Z_]+/g), ([name]) => name)
    expect(named.filter(name => !known.includes(name))).toEqual([])
  })
})

/** Starts HAProxy with the example's configuration on the given ports. */
const startProxy = (own: Ports, replicas: readonly Ports[], configuration = CONFIGURATION): void => {
  let text = configuration
    .replace('bind :8443', `bind 127.0.0.1:${own.api}`)
    .replace('bind :8080', `bind 127.0.0.1:${own.pages}`)
  for (const [at, { api, pages }] of replicas.entries())
    text = text
      .replace(`replica-${at + 1}:8443 check port 8080`, `127.0.0.1:${api} check port ${pages}`)
      .replace(`replica-${at + 1}:8080`, `127.0.0.1:${pages}`)
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, text)
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
}
type Ports = { api: number; pages: number }

const freePorts = async (): Promise<Ports> => ({ api: await findFreePort(), pages: await findFreePort() })

/** The kit in a response; undefined while the proxy has no backend. */
const kitIn = async (answer: Response) => (answer.ok ? ((await answer.json()) as Kit) : undefined)

const MOMENT = 100

/** Initiates a payment, repeating it under the same key while the connection breaks; returns the status. */
const paid = async (merchant: Merchant) => {
  const call = { json: irisRequestOf(merchant), idempotencyKey: randomUUID() }
  for (;;) {
    const { response } = await merchant.request('initiate', call)
    if (response) return response.status
    await pause(MOMENT)
  }
}

/** Whether a TLS handshake succeeds on a port; a rejected connection is closed. */
const isGreeted = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const line = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    const over = (greeted: boolean) => () => {
      line.destroy()
      resolve(greeted)
    }
    line.once('secureConnect', over(true)).once('error', over(false)).once('close', over(false))
  })

test.skipIf(!hasProxy)(
  'the example’s proxy rejects clients that open too many connections, and only while they do',
  async () => {
    const [own, ...ports] = await Promise.all(Array.from({ length: 3 }, freePorts))
    const simulator = await startTestSimulator({ apiPort: ports[0]?.api ?? 0, pagesPort: ports[0]?.pages ?? 0 })
    onTestFinished(() => simulator.stop())
    const few = CONFIGURATION.replace('conn_rate(10s)', 'conn_rate(1s)').replace('conn_rate ge 500', 'conn_rate ge 5')
    startProxy(own as Ports, ports, few)
    const knock = () => isGreeted(own?.api ?? 0)
    await pollUntil(knock, greeted => greeted)
    await pollUntil(knock, greeted => !greeted)
    await pollUntil(knock, greeted => greeted)
  },
)

test.skipIf(!postgres || !hasProxy)(
  'behind the example’s proxy (needs haproxy and PostgreSQL) payments go on while a replica stops',
  async () => {
    const store = await createPostgresSchema(postgres?.url ?? '')
    const [own, ...ports] = await Promise.all(Array.from({ length: 3 }, freePorts))
    const pagesUrl = `http://localhost:${own?.pages}`
    const shared = ['--store', store, '--api-url', `https://localhost:${own?.api}`, '--pages-url', pagesUrl]
    const replicas = await Promise.all(
      ports.map(({ api, pages }) =>
        startServe(temporaryFolder(), [...shared, '--api-port', `${api}`, '--pages-port', `${pages}`]),
      ),
    )
    startProxy(own as Ports, ports)
    const kit = await pollUntil(
      () => fetch(`${pagesUrl}/control/organizations/demo-merchant/kit`).then(kitIn, () => undefined),
      found => found !== undefined,
    )
    const merchants = [1, 2].map(() => merchantWith(credentialsFromKit(kit as Kit)))
    const allPaid = async () => expect(await Promise.all(merchants.map(paid))).toEqual([200, 200])

    await allPaid()
    replicas[0]?.child.kill('SIGTERM')
    const ended = replicas[0]?.ended
    let isOver = false
    void ended?.then(() => {
      isOver = true
    })
    while (!isOver) await allPaid()
    expect(await ended).toBe(0)
    await allPaid()
  },
  60_000,
)

/** Creates an organization; returns a merchant client of it for each replica. */
const merchantsAt = async (replicas: readonly TestSimulator[], id: string): Promise<Merchant[]> => {
  const credentials = await replicas[0]?.controlPlane.organizations.create(id)
  return replicas.map(({ kit: { apiBaseUrl, pagesBaseUrl, jwksUrl } }) =>
    merchantWith(credentialsFromKit({ apiBaseUrl, pagesBaseUrl, jwksUrl, ...credentials } as Kit)),
  )
}

describe.skipIf(!postgres)('a rate limit over replicas', () => {
  test('8: an organization has one quota over all replicas, and each organization its own', async () => {
    const perSecond = 40
    const store = await createPostgresSchema(postgres?.url ?? '')
    const begun = Date.now()
    const replicas = await Promise.all(
      [1, 2].map(() => startTestSimulator({ store, rateLimit: perSecond }, { clock: createClock(() => begun) })),
    )
    onTestFinished(() => Promise.all(replicas.map(replica => replica.stop())).then(() => undefined))
    const [loud = [], quiet = []] = await Promise.all(['loud', 'quiet'].map(id => merchantsAt(replicas, id)))
    const answers = await Promise.all(Array.from({ length: 2 * perSecond }, (_, at) => paid(loud[at % 2] as Merchant)))
    const served = answers.filter(status => status === 200).length
    expect(new Set(answers)).toEqual(new Set([200, 429]))
    expect(served).toBeLessThanOrEqual(perSecond)
    expect(served).toBeGreaterThan(perSecond / 2)
    expect(await Promise.all(quiet.map(paid))).toEqual([200, 200])
  }, 60_000)
})
