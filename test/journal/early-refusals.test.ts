import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import { statusAndCode } from '../support/api-response-checks.ts'
import { type RawRequest, serializeRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { bodyLimit: 10_000 } })
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const payment = () => sandbox.sign({ body: irisInitiateBody() })
const status = () => sandbox.sign({ target: '/payments/nobody/status' })

type Sent = RawRequest | Buffer

// biome-ignore format: a table reads by its columns
/** Requests that are refused before or beside the certificate, with the layer that the journal names. */
const REFUSED: readonly [what: string, make: () => Promise<Sent>, answer: string, layer: string, target: string][] = [
  ['a chunked body', async () => {
    const { body = Buffer.alloc(0), ...message } = await payment()
    const chunked = withHeader(withHeader(message, 'Content-Length'), 'Transfer-Encoding', 'chunked')
    return Buffer.concat([serializeRequest(chunked), Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
  }, '400/4990', 'body', '/payments/initiate'],
  ['a body beyond the limit', async () => sandbox.sign({ body: irisInitiateBody({ metadata: { a: 'x'.repeat(12_000) } }) }), '413/4130', 'body', '/payments/initiate'],
  ['a doubled header', async () => withHeader(await payment(), 'Service-Version', '1.0', '1.0'), '400/4000', 'http', '/payments/initiate'],
  ['a long target', async () => sandbox.sign({ target: `/payments/${'x'.repeat(9_000)}/status` }), '400/4000', 'http', '/payments/xxx'],
  ['no Host', async () => withHeader(await status(), 'Host'), '400/4000', 'http', '/payments/nobody/status'],
  ['an unreadable Host', async () => withHeader(await status(), 'Host', '[::1'), '400/4000', 'http', '/payments/nobody/status'],
  ['a Host with a path', async () => withHeader(await status(), 'Host', 'local/host'), '400/4000', 'http', '/payments/nobody/status'],
  ['an encoded path', async () => ({ ...(await status()), target: '/payments/%6eobody/status' }), '400/4000', 'http', '/payments/%6eobody/status'],
  ['dot segments', async () => ({ ...(await status()), target: '/payments/../payments/x/status' }), '400/4000', 'http', '/payments/../payments/x/status'],
  ['an HTTP version that is none', async () => ({ ...(await status()), version: '1.7' }), '400/4000', 'http', ''],
  ['a Content-Length that is none', async () => withHeader(await payment(), 'Content-Length', 'x'), '400/4000', 'http', ''],
  ['headers beyond the limit', async () => withHeader(await status(), 'X-Long', 'x'.repeat(20_000)), '400/4000', 'http', ''],
]

const journalOf = (organizationId?: string): readonly JournalEntry[] =>
  sandbox.simulator.controlPlane.journal.latest(organizationId)

describe('a refusal is in the journal under the callId it gave', () => {
  test.each(REFUSED)('%s', async (_what, make, answer, layer, target) => {
    const refused = await sandbox.send(await make(), { identity: identity() })
    expect(statusAndCode(refused)).toBe(answer)
    const { callId } = refused.json() as { callId: string }
    const entry = journalOf('demo-merchant').find(call => call.callId === callId)
    expect(entry).toMatchObject({
      organizationId: 'demo-merchant',
      response: { status: refused.status, body: refused.body.toString() },
      refused: { layer },
    })
    expect(entry?.request.target.startsWith(target)).toBe(true)
  })

  test('the signature lab explains the chunked one', async () => {
    const { lab } = sandbox.simulator.controlPlane
    const refused = await sandbox.send(await (REFUSED[0]?.[1] ?? payment)(), { identity: identity() })
    const { callId: call } = refused.json() as { callId: string }
    const { verdict, faults, correct } = await lab.examine(
      'demo-merchant',
      { call, signs: true },
      new AbortController().signal,
    )
    expect({ verdict, faults }).toMatchObject({ verdict: 'refused', faults: [{ cause: 'body-chunked' }] })
    expect(correct).toBeDefined()
    expect(lab.refused('demo-merchant', 99).map(({ callId }) => callId)).toContain(call)
  })

  test('without a certificate it is in the one of unknown callers', async () => {
    for (const message of [await status(), { ...(await status()), target: '/payments/%6eobody/status' }]) {
      const refused = await sandbox.send(message, { identity: null })
      const { callId } = refused.json() as { callId: string }
      expect(journalOf().map(call => call.callId)).toContain(callId)
    }
  })

  test('with a revoked certificate it is in the journal of its organization', async () => {
    const { certificates } = sandbox.simulator.controlPlane
    const [certificate] = await certificates.list('other-merchant')
    await certificates.revoke('other-merchant', certificate?.fingerprint ?? '')
    const message = await sandbox.sign({ target: '/payments/nobody/status', merchant: sandbox.other })
    const refused = await sandbox.send(message, { identity: identity('other') })
    expect(statusAndCode(refused)).toBe('400/4980')
    const { callId } = refused.json() as { callId: string }
    expect(journalOf('other-merchant').map(call => call.callId)).toContain(callId)
  })
})

describe('a target in absolute form (RFC 9112, 3.2.2)', () => {
  test.each([
    ['https://localhost:8443/payments/nobody/status', 'localhost'],
    ['https://LOCALHOST/payments/nobody/status', 'another.host'],
  ])('%s with the Host %s is served by the host of the target', async (target, host) => {
    const message = withHeader({ ...(await status()), target }, 'Host', host)
    expect(statusAndCode(await sandbox.send(message))).toBe('404/4001')
  })

  test('one with credentials, or of another scheme, is refused', async () => {
    for (const target of ['https://u:p@localhost/payments/nobody/status', 'ftp://localhost/payments/nobody/status'])
      expect(statusAndCode(await sandbox.send({ ...(await status()), target }))).toBe('400/4000')
  })
})

const identity = (who: 'demo' | 'other' = 'demo') => {
  const { certificate, privateKey } = sandbox[who].kit
  return { certificate, privateKey }
}
