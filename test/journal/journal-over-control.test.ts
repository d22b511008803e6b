import { expect, test } from 'vitest'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const journal = async (pagesUrl: string, path: string): Promise<JournalEntry[]> =>
  ((await (await fetch(`${pagesUrl}/control${path}`)).json()) as { calls: JournalEntry[] }).calls

const DEMO = '/organizations/demo-merchant/journal'

test('the journal lists calls newest first, with request, response and the signature variant that verified', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator, { dialect: { reading: 'rfc', encoding: 'raw' } })
  await merchant.status('nothing')
  const [status, token] = await journal(simulator.pagesUrl, DEMO)
  expect(status).toMatchObject({
    operation: 'status',
    organizationId: 'demo-merchant',
    request: { method: 'GET', target: '/payments/nothing/status' },
    response: { status: 404 },
    refused: { layer: 'operation', reason: 'There is no such payment.' },
    signature: { keyId: merchant.credentials.signingKeys[0]?.keyId, reading: 'rfc', encoding: 'raw' },
  })
  expect(token).toMatchObject({ operation: 'token', response: { status: 200 } })
  expect(status?.callId).toBe(JSON.parse(status?.response.body ?? '{}').callId)
})

test('2.8: it contains no access token, neither of the token response nor of Authorization headers', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const secret = await merchant.tokenFor()
  await merchant.status('nothing')
  const text = JSON.stringify(await journal(simulator.pagesUrl, DEMO))
  expect(text).toContain('Bearer ***')
  expect(text).toContain('access_token')
  expect(text.includes(secret)).toBe(false)
})

test('it keeps as many calls as configured and returns as many as requested', async () => {
  const simulator = await startScopedSimulator({ journalSize: 3 })
  const merchant = merchantOf(simulator)
  for (const id of ['a', 'b', 'c', 'd', 'e']) await merchant.status(id)
  const targets = async (path: string) =>
    (await journal(simulator.pagesUrl, path)).map(({ request }) => request.target.split('/')[2])
  expect(await targets(DEMO)).toEqual(['e', 'd', 'c'])
  expect(await targets(`${DEMO}?limit=1`)).toEqual(['e'])
  for (const limit of ['0', '-1', 'x', '100000', ''])
    expect((await fetch(`${simulator.pagesUrl}/control${DEMO}?limit=${limit}`)).status).toBe(400)
})

test('5.1: calls without a known organization are listed separately', async () => {
  const simulator = await startScopedSimulator()
  const stranger = merchantOf(simulator)
  await stranger.request('status', { path: { transactionId: 'x' } }, { connection: { identity: null }, token: 'none' })
  const [call] = await journal(simulator.pagesUrl, '/journal')
  expect(call).toMatchObject({ response: { status: 400 }, refused: { layer: 'certificate' } })
  expect(call).not.toHaveProperty('organizationId')
  expect(await journal(simulator.pagesUrl, DEMO)).toEqual([])
})

test('a filter by more words than a search needs is refused in a sentence, by control, its stream and the portal', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const words = Array.from({ length: 11 }, (_, at) => `-word-${at}`).join('+')
  const [tooMany, tooLong] = ['q has 11 different words: give at most 10.', 'q has 201 characters: give at most 200.']
  for (const path of [DEMO, `${DEMO}.har`, `${DEMO}/stream`, '/journal', '/journal.har', '/journal/stream'])
    for (const [q, error] of [
      [words, tooMany],
      ['x'.repeat(201), tooLong],
    ]) {
      const response = await fetch(`${pagesUrl}/control${path}?q=${q}`)
      expect([path, response.status]).toEqual([path, 400])
      expect(await response.json()).toEqual({ error })
    }
  for (const path of ['organizations/demo-merchant/journal', 'journal'])
    expect(await (await fetch(`${pagesUrl}/portal/${path}?q=${words}`)).text()).toContain(
      '11 different words: give at most 10.',
    )
  expect(await journal(pagesUrl, `${DEMO}?q=${'WORD+word+'.repeat(20)}`)).toEqual([])
})
