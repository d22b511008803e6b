import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import type { Merchant } from '../../contracts/client/merchant.ts'
import { createClock } from '../../simulator/clock.ts'
import type { Kit } from '../../simulator/operator/kit.ts'
import { environmentName, OPTIONS } from '../../simulator/options.ts'
import { until } from '../support/poll.ts'
import { freePort, startPostgres } from '../support/postgres.ts'
import { irisOf, merchantWith } from '../support/running.ts'
import { schemaFor } from '../support/schema.ts'
import { serveReady } from '../support/serve.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { read } from '../tidy/sources.ts'

const postgres = await startPostgres()
const hasProxy = spawnSync('haproxy', ['-v']).status === 0
const CONFIGURATION = read('examples/replicas/haproxy.cfg')
afterAll(() => postgres?.remove())

describe('the compose file of replicas', () => {
  const text = read('examples/replicas/compose.yaml')
  const { services, volumes } = parse(text, { strict: true, uniqueKeys: true, merge: true })
  const replicas = Object.keys(services).filter(name => name.startsWith('replica-'))

  test('has replicas that differ in nothing, over a PostgreSQL that keeps its data and is asked whether it is well', () => {
    expect(replicas).toEqual(['replica-1', 'replica-2'])
    expect(services['replica-1']).toEqual(services['replica-2'])
    expect(services['replica-1'].depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(services['replica-1'].environment.ASSAY_STORE).toMatch(/^postgres:\/\/assay:.*@postgres\/assay$/)
    expect(services.postgres.healthcheck.test).toContain('pg_isready')
    expect(services.postgres.volumes[0].split(':')[0]).toBe(Object.keys(volumes)[0])
  })

  test('has a proxy at the only ports that are open, which waits for all replicas and knows each by its name', () => {
    expect(Object.keys(services).filter(name => services[name].ports)).toEqual(['proxy'])
    expect(services.proxy.ports).toEqual(['8443:8443', '8080:8080'])
    expect(Object.keys(services.proxy.depends_on)).toEqual(replicas)
    for (const name of replicas)
      for (const port of ['8443', '8080']) expect(CONFIGURATION).toContain(`${name}:${port} check`)
  })

  test('names only variables that are read', () => {
    const known = [...Object.keys(OPTIONS).map(environmentName), 'ASSAY_IMAGE']
    const named = Array.from(text.matchAll(/ASSAY_[A-Z_]+/g), ([name]) => name)
    expect(named.filter(name => !known.includes(name))).toEqual([])
  })
})

/** The proxy of the example over these ports. */
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

const freePorts = async (): Promise<Ports> => ({ api: await freePort(), pages: await freePort() })

/** None while the proxy has nobody to ask. */
const kitIn = async (answer: Response) => (answer.ok ? ((await answer.json()) as Kit) : undefined)

const MOMENT = 100

/** As a merchant should: where the line broke, the same call again a moment later under the same key. */
const paid = async (merchant: Merchant) => {
  const call = { json: irisOf(merchant), idempotencyKey: randomUUID() }
  for (;;) {
    const { answer } = await merchant.request('initiate', call)
    if (answer) return answer.status
    await pause(MOMENT)
  }
}

/** Whether somebody greets who connects there; at one who is turned away the line ends. */
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
  'the proxy of the example turns away who opens too many connections, and only as long as that',
  async () => {
    const [own, ...ports] = await Promise.all(Array.from({ length: 3 }, freePorts))
    const simulator = await startTestSimulator({ apiPort: ports[0]?.api ?? 0, pagesPort: ports[0]?.pages ?? 0 })
    onTestFinished(() => simulator.stop())
    const few = CONFIGURATION.replace('conn_rate(10s)', 'conn_rate(1s)').replace('conn_rate ge 500', 'conn_rate ge 5')
    startProxy(own as Ports, ports, few)
    const knock = () => isGreeted(own?.api ?? 0)
    await until(knock, greeted => greeted)
    await until(knock, greeted => !greeted)
    await until(knock, greeted => greeted)
  },
)

test.skipIf(!postgres || !hasProxy)(
  'behind the proxy of the example (haproxy and PostgreSQL have to be there) payments go on when a replica stops',
  async () => {
    const store = await schemaFor(postgres?.url ?? '')
    const [own, ...ports] = await Promise.all(Array.from({ length: 3 }, freePorts))
    const pagesUrl = `http://localhost:${own?.pages}`
    const shared = ['--store', store, '--api-url', `https://localhost:${own?.api}`, '--pages-url', pagesUrl]
    const replicas = await Promise.all(
      ports.map(({ api, pages }) =>
        serveReady(temporaryFolder(), [...shared, '--api-port', `${api}`, '--pages-port', `${pages}`]),
      ),
    )
    startProxy(own as Ports, ports)
    const kit = await until(
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

/** Merchants of one organization, one at each replica. */
const merchantsAt = async (replicas: readonly TestSimulator[], id: string): Promise<Merchant[]> => {
  const credentials = await replicas[0]?.operator.organizations.create(id)
  return replicas.map(({ kit: { apiBaseUrl, pagesBaseUrl, jwksUrl } }) =>
    merchantWith(credentialsFromKit({ apiBaseUrl, pagesBaseUrl, jwksUrl, ...credentials } as Kit)),
  )
}

describe.skipIf(!postgres)('a quota over replicas', () => {
  test('8: an organization has its calls of a second once, however many replicas it asks; another one has its own', async () => {
    const perSecond = 40
    const store = await schemaFor(postgres?.url ?? '')
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
