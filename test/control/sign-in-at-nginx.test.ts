import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSource } from '../architecture/read-source-files.ts'
import { findFreePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const hasProxy = spawnSync('nginx', ['-v']).status === 0

/** Starts nginx with the example's configuration before a sandbox; returns the address of the proxy. */
const startProxy = async (pagesUrl: string): Promise<string> => {
  const [folder, port] = [temporaryFolder(), await findFreePort()]
  const configuration = readSource('examples/sign-in/nginx.conf')
    .replace('events {}', `daemon off; user root; pid ${folder}/pid; error_log ${folder}/errors; events {}`)
    .replace('http {', `http { access_log off; client_body_temp_path ${folder}/bodies;`)
    .replace('listen 8000', `listen 127.0.0.1:${port}`)
    .replaceAll('http://assay:8080', pagesUrl.replace('localhost', '127.0.0.1'))
  writeFileSync(join(folder, 'nginx.conf'), configuration)
  writeFileSync(join(folder, 'users'), ['ada', 'bo', 'cy'].map(name => `${name}:{PLAIN}secret-of-${name}\n`).join(''))
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGTERM'))
  const url = `http://localhost:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return url
}

test.skipIf(!hasProxy)(
  'people sign in at nginx with the configuration of the example, and strangers do not',
  async () => {
    const { pagesUrl } = await startScopedSimulator({ controlToken: 'a-token', signInFrom: ['127.0.0.1'] })
    const url = await startProxy(pagesUrl)
    const get = async (path: string, name?: string, headers: Record<string, string> = {}) => {
      const authorization = name && `Basic ${Buffer.from(`${name}:secret-of-${name}`).toString('base64')}`
      const sent = { ...headers, ...(authorization ? { authorization } : {}) }
      const [response] = await once(request(url + path, { headers: sent }).end(), 'response')
      response.resume()
      return response.statusCode as number
    }
    const [kit, payments] = ['/control/organizations/demo-merchant/kit', '/portal/organizations/demo-merchant/payments']
    const forged = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'assay' }
    expect([await get(kit, 'ada'), await get('/portal/organizations', 'ada')]).toEqual([200, 200])
    expect([await get(payments, 'bo'), await get(kit, 'bo')]).toEqual([200, 403])
    expect([await get(payments, 'cy'), await get(kit, 'cy')]).toEqual([303, 401])
    expect([await get(payments, 'bo', forged), await get(kit, 'bo', forged)]).toEqual([200, 403])
    expect([await get(kit), await get(kit, undefined, forged)]).toEqual([401, 401])
    expect([await get('/blik/demo-merchant'), await get('/health')]).toEqual([200, 200])
    const stage = await fetch(`${url}/`, { headers: forged })
    expect(await stage.text()).not.toContain('demo-merchant')
  },
)

/** The paths at which the example asks who comes. */
const SIGNED_IN = new RegExp(/location ~ (\S+) \{/.exec(readSource('examples/sign-in/nginx.conf'))?.[1] ?? '')

/** Starts a proxy that tells who comes at the paths where the example does, and nobody elsewhere. */
const startStandInProxy = async (pagesUrl: string, user: string, groups: string): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const isSignedIn = SIGNED_IN.test(new URL(incoming.url ?? '', pagesUrl).pathname)
    const named = isSignedIn ? { 'x-forwarded-user': user, 'x-forwarded-groups': groups } : {}
    const passed = request(pagesUrl + incoming.url, {
      method: incoming.method,
      headers: { ...incoming.headers, ...named },
    })
    passed.on('response', response => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('behind the paths of the example a person opens the demo shop and the stage, and a shopper needs no name', async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: 'a-token', signInFrom: ['127.0.0.1'] })
  const url = await startStandInProxy(pagesUrl.replace('localhost', '127.0.0.1'), 'ada', 'assay')
  const shop = await fetch(`${url}/shop`)
  expect([shop.status, shop.redirected]).toEqual([200, true])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const stage = await fetch(`${url}/shop/stage`, { method: 'POST', headers, body: 'organization=demo-merchant' })
  expect([stage.status, new URL(stage.url).pathname]).toEqual([200, expect.stringMatching(/\/stage$/)])
  const { pathname } = new URL(shop.url)
  expect(SIGNED_IN.test(pathname)).toBe(false)
  expect((await fetch(`${pagesUrl}${pathname}`)).status).toBe(200)
  for (const open of ['/', '/health', '/blik/demo-merchant', `${pathname}/orders/1`])
    expect(SIGNED_IN.test(open)).toBe(false)
})
