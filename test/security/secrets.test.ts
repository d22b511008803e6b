import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { described } from '../control/description.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { accountOf, irisOf, merchantWith } from '../support/running.ts'
import { serveReady } from '../support/serve.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { crawl } from './crawl.ts'

const CONTROL_TOKEN = 'a-control-token-of-these-tests-0815'
const CLIENT_SECRET = 'a-client-secret-of-these-tests-0815'
const HERE = '/control/organizations/demo-merchant'
/** Calls whose purpose is to hand a secret over, each once or to whoever shows the control token. */
const HANDS_OVER = /\/kit$|\/stream$|\/wait$/
/** A state that can be restored elsewhere, with the secrets by which its webhooks are signed there too. */
const SNAPSHOT = '/control/organizations/{organizationId}/snapshots/{name}'

/** What stands between the lines that begin and end a key: enough to know it by. */
const heartOf = (pem: string): string => pem.split('\n')[1] ?? ''

/** The keys of authority, server and service, which nobody outside ever gets. */
const keysIn = async (dataDir: string): Promise<string[]> => {
  const store = await openTestStore(dataDir)
  const kept = await Promise.all(['authority', 'server', 'service-keys'].map(store.setting))
  await store.close()
  const text = kept.join().replaceAll(/\\+n/g, '\n')
  return Array.from(text.matchAll(/BEGIN (?:EC )?PRIVATE KEY-----\n([^\n]+)/g), ([, line = '']) => line)
}

test('5, 8: no secret comes out where it is not asked for, and its files are for their owner alone', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const served = await serveReady(dataDir, [], { ASSAY_CONTROL_TOKEN: CONTROL_TOKEN })
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
  const receiver = await openReceiver(() => ({ status: 500, body: 'no' }))
  const endpoint = JSON.parse(await ask('POST', `${HERE}/webhooks`, { url: receiver.url }))
  const merchant = merchantWith(credentialsFromKit(kit))
  const token = await merchant.tokenFor()

  const paid = await merchant.initiate(irisOf(merchant))
  if (!paid.ok) throw new Error('The payment was refused.')
  const { transactionId } = paid.body
  await ask('POST', `${HERE}/payments/${transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({ processingAccountId: accountOf(merchant), transactionId })
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
  const reads = described.filter(({ method, path }) => method === 'get' && !HANDS_OVER.test(path))
  const read = await Promise.all(reads.map(async ({ path }) => [path, await ask('GET', filled(path))] as const))
  const pages = await crawl(served.pagesUrl, ['/', '/portal', '/portal/sign-in'], 40)
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
    ...refused.map(({ answer }, index) => [`refusal ${index}`, String(answer?.body)] as const),
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
