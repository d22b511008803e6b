import { expect, test, vi } from 'vitest'
import { ControlError } from '../../simulator/support/control-error.ts'
import { createShopVisitor } from '../shop/shop-visitor.ts'
import { controlClient } from '../support/control-client.ts'
import { readEventStream } from '../support/event-stream.ts'
import { pollUntil } from '../support/poll-until.ts'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const TOKEN = 'a-token-of-the-operator'
const OPERATOR = { authorization: `Bearer ${TOKEN}` }
const HERE = 'organizations/demo-merchant'

/** Starts a sandbox with a control token, and a token of the merchant that can be revoked. */
const open = async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  const ask = controlClient(simulator)
  const { body } = await ask('POST', `${HERE}/control-tokens`, { name: 'a tester', role: 'act' }, OPERATOR)
  const revoke = () => ask('DELETE', `${HERE}/control-tokens/${body.tokenId}`, undefined, OPERATOR)
  const signIn = await fetch(`${simulator.pagesUrl}/portal/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token: body.token, to: '/portal' }),
    redirect: 'manual',
  })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { simulator, ask, revoke, holder: { authorization: `Bearer ${body.token}` }, cookie: { cookie } }
}

test('a stream of the journal or of changes ends where its token was revoked, before the next call is told', async () => {
  const { simulator, revoke, holder, cookie } = await open()
  const shop = await createShopVisitor(simulator).open('demo-merchant', OPERATOR)
  const lines = [
    await readEventStream(`${simulator.pagesUrl}/control/${HERE}/journal/stream`, holder),
    await readEventStream(`${simulator.pagesUrl}/portal/${HERE}/stream`, cookie),
    await readEventStream(`${simulator.pagesUrl}${shop}/timeline/stream`, cookie),
  ]
  expect(lines.map(({ response }) => response.headers.get('content-type'))).toEqual(Array(3).fill('text/event-stream'))
  await revoke()
  await merchantOf(simulator).status('after-the-revocation')
  expect(await Promise.all(lines.map(({ over }) => over))).toEqual(['ended', 'ended', 'ended'])
  expect(lines.map(({ told }) => told.map(({ event }) => event))).toEqual([[], [], ['stage']])
}, 10_000)

test('the streams of a removed organization end', async () => {
  const { simulator, ask } = await open()
  await ask('POST', 'organizations', { id: 'shop' }, OPERATOR)
  const lines = [
    await readEventStream(`${simulator.pagesUrl}/control/organizations/shop/journal/stream`, OPERATOR),
    await readEventStream(`${simulator.pagesUrl}/portal/organizations/shop/stream`, OPERATOR),
  ]
  await ask('DELETE', 'organizations/shop', undefined, OPERATOR)
  expect(await Promise.all(lines.map(({ over }) => over))).toEqual(['ended', 'ended'])
}, 10_000)

test.each([
  ['listen', (id: string) => `webhooks/${id}/listen`],
  ['inbox', () => 'inbox/wait'],
])('a call that waits hands out nothing where its token was revoked meanwhile: %s', async (_, pathOf) => {
  const { simulator, ask, revoke, holder } = await open()
  const { inbox, listeners } = simulator.controlPlane
  const { body } = await ask('POST', `${HERE}/webhooks`, { url: 'listen+http://localhost:9/hooks' }, OPERATOR)
  vi.spyOn(listeners, 'take').mockImplementation(async () => {
    await revoke()
    return { attemptId: 'a', url: 'http://localhost:9/hooks', headers: {}, body: '{}', timeoutMilliseconds: 50 }
  })
  vi.spyOn(inbox, 'wait').mockImplementation(async () => {
    await revoke()
    throw new ControlError('unknown', 'No notification came.')
  })
  const response = await fetch(`${simulator.pagesUrl}/control/${HERE}/${pathOf(body.endpointId)}`, { headers: holder })
  expect([response.status, await response.text()]).toEqual([
    401,
    expect.stringMatching(/This token is unknown or revoked: .*which the operator gives/),
  ])
})

test('as many streams of a journal are open at once as pages of the portal', async () => {
  const simulator = await startScopedSimulator()
  const url = `${simulator.pagesUrl}/control/${HERE}/journal/stream`
  const lines = []
  for (let at = 0; at < 100; at += 1) lines.push(await readEventStream(url))
  const refused = await fetch(url)
  const error = '100 streams of this journal are open here: close one, or read it in pages.'
  expect([refused.status, await refused.json()]).toEqual([409, { error }])
  lines[0]?.stop()
  const statusOfNext = async () => {
    const line = await readEventStream(url)
    line.stop()
    return line.response.status
  }
  await pollUntil(statusOfNext, status => status === 200)
  for (const line of lines) line.stop()
}, 30_000)
