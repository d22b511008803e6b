import { get, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createControlTokenVerifier } from '../../simulator/control/control-token-verifier.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-for-tests-8'
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const closed = async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: TOKEN })
  const ask = (path: string, init: RequestInit = {}) => fetch(pagesUrl + path, { redirect: 'manual', ...init })
  const signIn = (token: string, to = '/portal/organizations', headers = {}) =>
    ask('/portal/sign-in', { method: 'POST', headers, body: new URLSearchParams({ token, to }) })
  const cookie = async () => (await signIn(TOKEN)).headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ask, signIn, cookie, pagesUrl }
}

/** Requests a page as a browser does; `fetch` would be checked against the description of control. */
const browse = (url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: HTML }, answer => resolve(answer.resume())).on('error', reject)
  })

describe('with a control token', () => {
  test('portal pages redirect to the sign-in page and forms have no effect unless signed in', async () => {
    const { ask, cookie } = await closed()
    for (const path of [
      '/portal',
      '/portal/organizations',
      '/portal/organizations/demo-merchant/webhooks?state=waiting',
    ]) {
      const { status, headers } = await ask(path)
      expect([status, headers.get('location')]).toEqual([303, `/portal/sign-in?to=${encodeURIComponent(path)}`])
    }
    const body = new URLSearchParams({ id: 'sneaked-in' })
    const posted = await ask('/portal/organizations', { method: 'POST', body })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, '/portal/sign-in'])
    const list = await ask('/control/organizations', { headers: { cookie: await cookie() } })
    expect(await list.text()).not.toContain('sneaked-in')
  })

  test('the cookie gives access to portal and control, a modified cookie to neither', async () => {
    const { ask, cookie } = await closed()
    const right = await cookie()
    for (const path of [
      '/portal/organizations',
      '/control/organizations',
      '/control/organizations/demo-merchant/kit',
    ]) {
      expect((await ask(path, { headers: { cookie: `other=1; ${right}; more=2` } })).status).toBe(200)
      expect((await ask(path, { headers: { cookie: `${right}x` } })).status).toBe(
        path.startsWith('/portal') ? 303 : 401,
      )
    }
  })

  test('the cookie is HttpOnly and SameSite=Strict and does not contain the token', async () => {
    const { signIn } = await closed()
    const cookie = String((await signIn(TOKEN)).headers.get('set-cookie'))
    expect(cookie).toMatch(/^assay-control-[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(TOKEN)
    expect((await signIn(`${TOKEN}x`)).headers.get('set-cookie')).toBe(null)
    expect((await signIn('')).status).toBe(401)
  })

  test('behind HTTPS the cookie is Secure', async () => {
    const { signIn, signOut } = createControlTokenVerifier(TOKEN, async () => undefined, { isHttps: true })
    expect([await signIn(TOKEN), signOut]).toEqual([
      expect.stringMatching(/; Secure$/),
      expect.stringMatching(/; Secure; Max/),
    ])
  })

  test.each([
    ['https://evil.example', '/portal/organizations'],
    ['//evil.example/portal', '/portal/organizations'],
    ['/\\evil.example', '/portal/organizations'],
    ['/portal\\..\\evil', '/portal/organizations'],
    ['/portalevil', '/portal/organizations'],
    ['/portal/../iris/x', '/portal/organizations'],
    ['/control/%2e%2E//evil.example', '/portal/organizations'],
    ['/portal/organizations?done=x#y', '/portal/organizations?done=x#y'],
    ['', '/portal/organizations'],
    ['/control/journal?limit=5', '/control/journal?limit=5'],
    ['/portal', '/portal'],
  ])('sign-in with the return path %s redirects to %s', async (to, sentTo) => {
    const { signIn } = await closed()
    expect((await signIn(TOKEN, to)).headers.get('location')).toBe(sentTo)
  })

  test('a browser without the cookie is redirected from control to sign-in; a program gets 401 as JSON', async () => {
    const { ask, pagesUrl } = await closed()
    const path = '/control/organizations/demo-merchant/journal?limit=5'
    const { statusCode, headers } = await browse(pagesUrl + path)
    expect([statusCode, headers.location]).toEqual([303, `/portal/sign-in?to=${encodeURIComponent(path)}`])
    const programs = [ask(path), ask('/control/organizations', { headers: HTML, method: 'POST' })]
    for (const program of await Promise.all(programs)) {
      expect([program.status, program.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await program.json()).toHaveProperty('error')
    }
  })

  test('a form of another origin is refused with 403 whatever its cookie', async () => {
    const { ask, signIn, cookie } = await closed()
    const elsewhere = { origin: 'http://localhost:1', cookie: await cookie() }
    const posted = await ask('/portal/organizations', {
      method: 'POST',
      headers: elsewhere,
      body: new URLSearchParams(),
    })
    expect(posted.status).toBe(403)
    expect((await signIn(TOKEN, '', { origin: 'https://evil.example' })).status).toBe(403)
  })
})

test('a large body is read only for callers with the token', async () => {
  const { ask, cookie } = await closed()
  const path = '/control/organizations/demo-merchant/snapshots/large'
  const body = JSON.stringify({ format: 'x'.repeat(100_000) })
  const statusWith = async (headers: Record<string, string>) =>
    (await ask(path, { method: 'PUT', body, headers })).status
  expect(await statusWith({})).toBe(413)
  expect(await statusWith({ authorization: `Bearer ${TOKEN}x` })).toBe(413)
  expect(await statusWith({ authorization: `Bearer ${TOKEN}` })).toBe(400)
  expect(await statusWith({ cookie: await cookie() })).toBe(400)
})

test('without a control token the sign-in page redirects to the portal', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const answer = await fetch(`${pagesUrl}/portal/sign-in`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal/organizations'])
})
