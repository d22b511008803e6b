import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { exchangeRaw } from '../support/raw-http.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const CLIMBING = [
  '..',
  '../..',
  '../../../../etc/passwd',
  '..\\..\\x',
  '/etc/passwd',
  'a/../../b',
  '%2e%2e%2f',
  '....//',
  'x\u0000.json',
  '~',
  'CON',
  '.hidden',
  'kit',
  'assay.db',
]
const DEMO = '/control/organizations/demo-merchant'

test('ids and names with path traversal neither read nor create files', async () => {
  const { dataDir, pagesUrl } = await startScopedSimulator()
  const files = () =>
    [
      readdirSync(dirname(dataDir)).filter(name => !name.startsWith('assay-')),
      readdirSync(dataDir, { recursive: true }),
    ]
      .flat()
      .toSorted()
  const before = files()
  const statuses: number[] = []
  /** Sends a path unchanged; `fetch` would normalize it. */
  const ask = (method: string, path: string, body = {}) =>
    new Promise<string>((resolve, reject) => {
      const call = request(pagesUrl, { method, path }, async answer => {
        statuses.push(answer.statusCode ?? 0)
        resolve(await text(answer))
      })
      call.on('error', reject).end(method === 'GET' ? '' : JSON.stringify(body))
    })
  for (const name of CLIMBING) {
    const encoded = encodeURIComponent(name)
    const told = [
      await ask('POST', '/control/organizations', { id: name === 'kit' ? 'Kit' : name }),
      await ask('GET', `/control/organizations/${encoded}/kit`),
      await ask('GET', `${DEMO}/reports/${encoded}`),
      await ask('GET', `${DEMO}/snapshots/${encoded}`),
      await ask('PUT', `${DEMO}/snapshots/${encoded}`, {}),
      await ask('GET', `/control/scenarios/${encoded}`),
      await ask('GET', `/assets/${encoded}`),
      await ask('GET', `/portal/organizations/${encoded}`),
    ]
    expect(told.join('\n')).not.toMatch(/root:|SQLite format|PRIVATE KEY/)
  }
  expect(statuses.filter(status => ![200, 400, 404].includes(status))).toEqual([])
  expect(files().filter(name => !String(name).endsWith('-wal'))).toEqual(
    before.filter(name => !String(name).endsWith('-wal')),
  )
})

test('request targets with path traversal are refused', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const port = Number(new URL(pagesUrl).port)
  for (const [target, status] of [
    ['/assets/../../package.json', 400],
    ['/assets/%2e%2e/%2e%2e/package.json', 400],
    ['/../../../etc/passwd', 400],
    ['/control/../../assay.db', 400],
    ['//etc/passwd', 404],
    ['/assets/..%5c..%5cpackage.json', 404],
  ] as const) {
    const said = Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [answer] = (await exchangeRaw(port, said, { plain: true })).answers
    expect([target, answer?.status]).toEqual([target, status])
  }
})
