import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSuites, simulatorProfileAt } from '../conformance/run-suites.ts'
import { controlClient } from '../support/control-client.ts'
import { describedCalls } from '../support/control-description.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-for-tests-7'
const OPEN = ['GET /control/openapi.yaml', 'GET /control/openapi.json', 'GET /control/scenarios/scenario.schema.json']

test('every call of control but its description and the schema of scenario files requires the token', async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  for (const { call, method, path } of describedCalls) {
    const address = simulator.pagesUrl + path.replaceAll(/\{\w+\}/g, 'demo-merchant')
    const { status, headers } = await fetch(address, { method: method.toUpperCase() })
    expect([call, status]).toEqual([call, OPEN.includes(call) ? 200 : 401])
    expect(headers.get('www-authenticate')).toBe(OPEN.includes(call) ? null : 'Bearer')
  }
  for (const path of ['/health', '/ready', '/', '/blik/demo-merchant'])
    expect([path, (await fetch(simulator.pagesUrl + path)).status]).toEqual([path, 200])
})

test.each([
  ['none', undefined, 401],
  ['another', `Bearer ${TOKEN}x`, 401],
  ['half of it', `Bearer ${TOKEN.slice(0, 7)}`, 401],
  ['an empty one', 'Bearer ', 401],
  ['another scheme', `Basic ${TOKEN}`, 401],
  ['the token alone', TOKEN, 401],
  ['the token', `Bearer ${TOKEN}`, 200],
  ['the scheme in small letters', `bearer ${TOKEN}`, 200],
])('Authorization: %s', async (_what, authorization, status) => {
  const ask = controlClient(await startScopedSimulator({ controlToken: TOKEN }))
  const told = await ask('GET', 'organizations', undefined, authorization === undefined ? {} : { authorization })
  expect(told.status).toBe(status)
  if (status === 401) expect(told.body.error).toMatch(/^[^\n]*Authorization: Bearer[^\n]*\.$/)
  expect(JSON.stringify(told.body)).not.toContain(TOKEN)
})

test('without a configured token any Authorization header is accepted', async () => {
  const ask = controlClient(await startScopedSimulator())
  expect((await ask('GET', 'organizations', undefined, { authorization: 'Bearer whatever' })).status).toBe(200)
})

test('the Origin check comes before the token check', async () => {
  const ask = controlClient(await startScopedSimulator({ controlToken: TOKEN }))
  const headers = { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' }
  expect((await ask('POST', 'organizations', {}, headers)).status).toBe(403)
})

test('certify sends the token that its profile refers to', async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  const { control, ...profile } = simulatorProfileAt({ ...simulator, credentials: undefined as never })
  const file = join(temporaryFolder(), 'token')
  writeFileSync(file, `${TOKEN}\n`)
  const verdictsWith = async (token: { token?: string }) => {
    const results = await runSuites({ ...profile, control: { url: control?.url ?? '', ...token } }, ['LIF-12'])
    return results.map(({ verdict }) => verdict)
  }
  expect(await verdictsWith({ token: `file:${file}` })).toEqual(['pass', 'pass'])
  expect(await verdictsWith({})).toContain('blocked')
})

test('the token is read from the environment and appears in no output and no journal', async () => {
  const served = await startServe(temporaryFolder(), [], { ASSAY_CONTROL_TOKEN: TOKEN })
  const ask = controlClient(served)
  expect((await ask('GET', 'journal')).status).toBe(401)
  const journal = await ask('GET', 'journal', undefined, { authorization: `Bearer ${TOKEN}` })
  expect(JSON.stringify(journal)).not.toContain(TOKEN)
  served.child.kill('SIGTERM')
  await served.ended
  expect(served.said.stdout + served.said.stderr).not.toContain(TOKEN)
})
