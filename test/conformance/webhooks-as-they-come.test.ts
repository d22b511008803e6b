import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import type { Expect } from '../../contracts/harness/judge/check-assertions.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { acceptedResponseDialect } from '../../contracts/protocol/match-signature-dialect.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import { createWebhookHmac, WEBHOOK_HEADERS } from '../../contracts/protocol/webhook-hmac.ts'
import { isOf } from '../../contracts/suites/drivers/open-webhook-source.ts'
import { readDeliveredByCommand } from '../../contracts/suites/drivers/read-webhooks-from-profile-command.ts'
import { expectWebhookSigned } from '../../contracts/suites/evidence/expect-webhook-signed.ts'
import { verifyServiceWebhook } from '../../contracts/suites/evidence/verify-service-signature-of-webhook.ts'
import { openWebhookReceiver } from '../../contracts/suites/given/webhook-receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open = async () => {
  const receiver = await openWebhookReceiver('http://127.0.0.1:0')
  onTestFinished(receiver.close)
  return receiver
}

test('a caller that hangs up in the middle of a webhook ends nothing, and brings none', async () => {
  const { url, calls } = await open()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half":')
  await once(socket.resume(), 'close')
  const { status } = await fetch(url, { method: 'POST', body: '{}' })
  expect([status, calls.length]).toEqual([204, 1])
})

test('a webhook without end is refused', async () => {
  const { url, calls } = await open()
  const told = await fetch(url, { method: 'POST', body: 'x'.repeat(2 ** 21) }).then(
    ({ status }) => status,
    () => 413, // the connection may be closed before all is sent
  )
  expect([told, calls.length]).toEqual([413, 0])
})

test('6: the age of a webhook is judged by the time at which it came, whenever it is judged', async () => {
  const received = Date.UTC(2020, 0, 1)
  const [secret, body] = [`whsec_${Buffer.alloc(24, 7).toString('base64')}`, '{"transactionId":"t"}']
  const timestamp = String(received / 1000)
  const headers = {
    [WEBHOOK_HEADERS.id]: 'm',
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.signature]: createWebhookHmac(secret, 'm', timestamp, Buffer.from(body)),
  }
  const profile = { webhooks: { signature: 'hmac' } } as Profile
  const holds = (ok: boolean, wanted: string, told: string) => expect(ok, `${wanted}: ${told}`).toBe(true)
  const pushed = { request: { method: 'GET', url: '', headers: {} }, durationMs: 0 } as Exchange
  const judge = (receivedAt: number) =>
    expectWebhookSigned(
      { target: '/', headers, body, secret, receivedAt: new Date(receivedAt).toISOString() },
      () => pushed,
      { profile, holds } as unknown as Expect,
      pushed,
    )
  await judge(received + 10_000)
  await expect(judge(received + 3_600_000)).rejects.toThrow(/signature that verifies/)
})

test.each([
  ['/hook?a=1?b=2', '/hook', '?a=1?b=2'],
  ['/hook?', '/hook', '?'],
  ['/hook', '/hook', '?'],
])(
  '6, D-100: path and query of %s are those of RFC 9421 2.2 in the service’s signature',
  async (target, path, query) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const body = Buffer.from('{}')
    const parameters = '("content-digest" "@path" "@query");keyid="k";created=1000'
    const lines = [
      `"content-digest": ${contentDigest(body)}`,
      `"@path": ${path}`,
      `"@query": ${query}`,
      `"@signature-params": ${parameters}`,
    ]
    const signature = sign('sha384', Buffer.from(lines.join('\n')), privateKey).toString('base64')
    const headers: Readonly<Record<string, string>> = {
      'signature-input': `service_sig=${parameters}`,
      signature: `service_sig=:${signature}:`,
      'content-digest': contentDigest(body),
    }
    const algorithm = algorithmNamed('ECDSA_SHA_384')
    const verdict = await verifyServiceWebhook(
      { target, body, header: name => headers[name], address: new URL(target, 'https://shop.example') },
      keyId => ({ keyId, algorithm, publicKey }),
      acceptedResponseDialect(),
      1000,
    )
    expect(verdict).toEqual({ ok: true })
  },
)

test.each([
  ['https://shop.example:8443/hook', 'shop.example'],
  ['https://shop.example:8443/hook', 'shop.example:8443'],
])('5.2, 6: the authority of %s in the service’s signature may be %s', async (address, authority) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const [body, digest] = [Buffer.from('{}'), contentDigest(Buffer.from('{}'))]
  const parameters = '("content-digest" "@authority");keyid="k";created=1000'
  const lines = [`"content-digest": ${digest}`, `"@authority": ${authority}`, `"@signature-params": ${parameters}`]
  const signature = sign('sha384', Buffer.from(lines.join('\n')), privateKey).toString('base64')
  const headers: Readonly<Record<string, string>> = {
    'signature-input': `service_sig=${parameters}`,
    signature: `service_sig=:${signature}:`,
    'content-digest': digest,
  }
  const webhook = { target: '/hook', body, header: (name: string) => headers[name], address: new URL(address) }
  const key = { algorithm: algorithmNamed('ECDSA_SHA_384'), publicKey }
  expect(await verifyServiceWebhook(webhook, keyId => ({ keyId, ...key }), acceptedResponseDialect(), 1000)).toEqual({
    ok: true,
  })
})

test('2.6: an id that is a number of any size is found in its webhook', () => {
  const profile = { fields: { webhook: { transactionId: '/id' } } } as unknown as Profile
  const body = '{"id":9007199254740993123}'
  expect([isOf(profile, { body }, '9007199254740993123'), isOf(profile, { body }, '9007199254740993124')]).toEqual([
    true,
    false,
  ])
})

test('a character of a webhook that a command prints in two writes stays whole', async () => {
  const line = '{"headers":{},"body":"z'
  const command = `printf '${line}\\305'; sleep 0.1; printf '\\202"}\\n'`
  const profile = { file: join(temporaryFolder(), 'profile.yaml'), webhooks: { command } } as unknown as Profile
  const [webhook] = await readDeliveredByCommand(profile, 't')
  expect(webhook?.body).toBe('zł')
})
