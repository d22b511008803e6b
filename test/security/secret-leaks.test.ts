import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { describedCalls } from '../support/control-description.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { firstAccountOf, irisRequestOf, merchantWith } from '../support/test-scoped-simulator.ts'
import { crawlPagesPort } from './crawl-page-responses.ts'

const CONTROL_TOKEN = 'a-control-token-of-these-tests-0815'
const CLIENT_SECRET = 'a-client-secret-of-these-tests-0815'
const HERE = '/control/organizations/demo-merchant'
/** Calls that return secrets by design, or that do not end. */
const HANDS_OVER = /\/(kit(\.zip)?|backup)$|\/stream$|\/wait$/
/** The snapshot download, which includes the webhook secrets so that it can be restored elsewhere. */
const SNAPSHOT = '/control/organizations/{organizationId}/snapshots/{name}'

/** First line of base64 in a PEM text, which identifies the key. */
const heartOf = (pem: string): string => pem.split('\n')[1] ?? ''

/** Private keys of authority, server and service, which are never returned. */
const keysIn = async (dataDir: string): Promise<string[]> => {
  const store = await openTestStore(dataDir)
  const kept = await Promise.all(['authority', 'server', 'service-keys'].map(store.setting))
  await store.close()
  const text = kept.join().replaceAll(/\\+n/g, '\n')
  return Array.from(text.matchAll(/BEGIN (?:EC )?PRIVATE KEY-----\n([^\n]+)/g), ([, line = '']) => line)
}

test('5, 8: no secret appears in output, journal, pages or errors, and secret files are readable by their owner only', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const served = await startServe(dataDir, [], { ASSAY_CONTROL_TOKEN: CONTROL_TOKEN })
  const ask = async (method: string, path: string, body?: object, shown = CONTROL_TOKEN) => {
    const headers = { authorization: `Bearer ${shown}` }
    const answer = await fetch(served.pagesUrl + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return answer.text()
  }
  const kit = JSON.parse(await ask('GET', `${HERE}/kit`))
  const receiver = await openWebhookReceiver(() => ({ status: 500, body: 'no' }))
  const endpoint = JSON.parse(await ask('POST', `${HERE}/webhooks`, { url: receiver.url }))
  const merchant = merchantWith(credentialsFromKit(kit))
  const token = await merchant.tokenFor()

  const paid = await merchant.initiate(irisRequestOf(merchant))
  if (!paid.ok) throw new Error('The payment was refused.')
  const { transactionId } = paid.body
  await ask('POST', `${HERE}/payments/${transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId })
  const refused = [
    await merchant.request('status', { path: { transactionId: 'x' } }),
    await merchant.request('status', { path: { transactionId } }, { token: `${token}x` }),
    await merchant.request('initiate', { json: { access_token: token } }),
    await merchant.send({ method: 'GET', path: `/payments/${transactionId}/status?access_token=${token}` }),
    await merchant.send({
      method: 'POST',
      path: '/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`grant_type=x&client_secret=${CLIENT_SECRET}&access_token=${token}`),
    }),
  ]
  await ask('GET', '/control/journal', undefined, `${CONTROL_TOKEN}x`)
  await fetch(`${served.pagesUrl}/portal/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: `${CONTROL_TOKEN}x` }),
  })
  await ask('POST', `${HERE}/clock`, { advance: 'PT1M' })
  await ask('POST', `${HERE}/snapshots`, { name: 'one' })

  const filled = (path: string) =>
    path
      .replace('{organizationId}', 'demo-merchant')
      .replace('{transactionId}', transactionId)
      .replace('{endpointId}', endpoint.endpointId)
      .replace('{name}', 'one')
      .replace('{accountId}', 'demo-merchant-account-1')
  const reads = describedCalls.filter(({ method, path }) => method === 'get' && !HANDS_OVER.test(path))
  const read = await Promise.all(reads.map(async ({ path }) => [path, await ask('GET', filled(path))] as const))
  const pages = await crawlPagesPort(served.pagesUrl, ['/', '/portal', '/portal/sign-in'], 40)
  served.child.kill('SIGTERM')
  await served.ended

  const secrets = [
    CONTROL_TOKEN,
    CLIENT_SECRET,
    token,
    endpoint.secret,
    ...[kit.privateKey, ...kit.signingKeys.map((key: { privateKey: string }) => key.privateKey)].map(heartOf),
    ...(await keysIn(dataDir)),
  ]
  expect(secrets.length).toBe(13)
  const shown: (readonly [where: string, text: string])[] = [
    ['standard output', served.said.stdout],
    ['standard error', served.said.stderr],
    ...read,
    ...pages.map(({ path, text }) => [path, text] as const),
    ...refused.map(({ response }, index) => [`refusal ${index}`, String(response?.body)] as const),
  ]
  const leaks = shown.flatMap(([where, text]) =>
    secrets.filter(secret => text.includes(secret)).map(secret => `${where}: ${secret.slice(0, 12)}…`),
  )
  expect(leaks).toEqual([`${SNAPSHOT}: ${endpoint.secret.slice(0, 12)}…`])

  const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    name => statSync(join(dataDir, name)).mode & 0o077,
  )
  expect(open.map(name => name.split('/').at(-1)).sort()).toEqual(['ca.pem', 'certificate.pem'])
})
