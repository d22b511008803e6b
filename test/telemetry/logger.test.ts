import { expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { readHealthUrl } from '../../contracts/client/sandbox-address.ts'
import { pollUntil } from '../support/poll-until.ts'
import { serveOptionsFor, spawnServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantWith } from '../support/test-scoped-simulator.ts'

type Line = Record<string, unknown>

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

/** Starts `assay serve --log json`; `lines` are those of its stdout so far. */
const startLogging = async (...more: readonly string[]) => {
  const dataDir = temporaryFolder()
  const served = spawnServe([...(await serveOptionsFor(dataDir)), '--log', 'json', ...more])
  const lines = (): Line[] =>
    served.said.stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  const lineOf = (msg: string) =>
    pollUntil(
      () => lines().find(line => line.msg === msg),
      line => line !== undefined,
    )
  return { ...served, dataDir, lines, lineOf }
}

test('each event is a JSON line: the start, each call with its trace and without secrets, the end', async () => {
  const served = await startLogging('--plain-port', '0', '--layers', 'none')
  const ready = await served.lineOf('ready')
  expect(ready).toMatchObject({ level: 'info', version: expect.any(String), time: expect.stringMatching(/Z$/) })
  const merchant = merchantWith(readKit(`${served.dataDir}/kit/demo-merchant`))
  await initiateIris(merchant)
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
  await fetch(`${ready?.plainUrl}/payments/nobody/status?access_token=secret`, { headers: { traceparent } })
  served.child.kill('SIGTERM')
  expect(await served.ended).toBe(0)

  const calls = served.lines().filter(line => line.msg === 'call')
  expect(calls.find(({ operation }) => operation === 'initiate')).toMatchObject({
    level: 'info',
    organizationId: 'demo-merchant',
    method: 'POST',
    status: 200,
    callId: expect.any(String),
    durationMilliseconds: expect.any(Number),
  })
  expect(calls.find(({ operation }) => operation === 'status')).toMatchObject({
    status: 400,
    layer: expect.any(String),
    reason: expect.any(String),
    target: '/payments/nobody/status?access_token=***',
    traceId: TRACE,
    spanId: '00f067aa0ba902b7',
  })
  expect(served.lines().at(-1)).toMatchObject({ msg: 'finishing the calls under way', signal: 'SIGTERM' })
  expect(served.said.stderr).toBe('')
  expect(served.said.stdout).not.toMatch(/eyJ|PRIVATE/)
})

test('forms of the portal are acts with the ids of what they created, and signing in is one of whoever signed in', async () => {
  const served = await startLogging('--control-token', 'hush-hush')
  const { pagesUrl } = (await served.lineOf('ready')) as { pagesUrl: string }
  const own = '/portal/organizations/demo-merchant'
  const post = (path: string, form: Record<string, string>, headers = { authorization: 'Bearer hush-hush' }) =>
    fetch(pagesUrl + path, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })
  await post('/portal/organizations', { id: 'shop' })
  await post(`${own}/control-tokens`, { name: 'CI', role: 'admin' })
  await post(`${own}/webhooks`, { url: 'http://127.0.0.1:1/hooks' })
  await post(`${own}/kit`, {})
  await post('/portal/sign-in', { token: 'wrong' }, {} as never)
  await post('/portal/sign-in', { token: 'hush-hush' }, {} as never)
  served.child.kill('SIGTERM')
  expect(await served.ended).toBe(0)
  const acts = served.lines().filter(({ msg }) => msg === 'act')
  expect(acts.map(({ by, created, isTokenWrong }) => ({ by, created, isTokenWrong }))).toEqual([
    { by: 'operator', created: { organizationId: 'shop' } },
    { by: 'operator', created: { tokenId: expect.any(String), name: 'CI', role: 'admin' } },
    { by: 'operator', created: { endpointId: expect.any(String) } },
    { by: 'operator', created: { fingerprint: expect.stringContaining(':') } },
    { by: 'nobody', isTokenWrong: true },
    { by: 'operator' },
  ])
  expect(served.said.stdout).not.toContain('hush-hush')
})

test('--log-level warn leaves out the calls and keeps the notes and acts', async () => {
  const served = await startLogging('--log-level', 'warn', '--host', '0.0.0.0')
  const note = await pollUntil(
    () => served.lines()[0],
    line => line !== undefined,
  )
  expect(note).toMatchObject({ level: 'warn', msg: expect.stringContaining('ASSAY_CONTROL_TOKEN') })
  const health = await pollUntil(
    () => readHealthUrl(served.dataDir),
    url => url !== undefined,
  )
  const reset = new URL('/control/organizations/demo-merchant/reset', health)
  expect((await fetch(reset, { method: 'POST' })).status).toBe(200)
  served.child.kill('SIGTERM')
  expect(await served.ended).toBe(0)
  expect(served.lines().filter(({ level }) => level === 'info')).toMatchObject([{ msg: 'act', path: reset.pathname }])
})

test('a reader that has stopped reading holds up neither the calls nor the end', async () => {
  const { child, ended, lineOf } = await startLogging('--plain-port', '0', '--layers', 'none')
  const ready = await lineOf('ready')
  child.stdout?.pause()
  const call = () => fetch(`${ready?.plainUrl}/payments/nobody/status`).then(({ status }) => status)
  for (let round = 0; round < 40; round += 1)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, call)))).toEqual(new Set([404]))
  const gone = new Promise(resolve => child.once('exit', resolve)) // its pipe closes only when that has been read
  child.kill('SIGTERM')
  await gone
  child.stdout?.resume()
  await ended
})

test('a log in text takes no level, and says so', async () => {
  const dataDir = temporaryFolder()
  const served = spawnServe([...(await serveOptionsFor(dataDir)), '--log-level', 'warn'])
  await pollUntil(
    () => served.said.stderr,
    text => text.includes('Note: --log-level has no effect without --log json.'),
  )
})
