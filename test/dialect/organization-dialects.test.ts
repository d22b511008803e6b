import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type Credentials, credentialsFromKit } from '../../contracts/client/credentials.ts'
import { responseJson } from '../../contracts/client/http-exchange.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { createDialect } from '../../contracts/dialect/dialect.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { createRequestLens } from '../../contracts/dialect/request-lens.ts'
import { parseDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { createOrganizationDialects } from '../../simulator/organizations/organization-dialects.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { createDialectRegistry } from '../../simulator/support/dialect-registry.ts'
import { controlClient } from '../support/control-client.ts'
import { openTestStore, storeOptionFor } from '../support/open-test-store.ts'
import { blikRequest, irisRequest } from '../support/payment-requests.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const profileText = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../conformance/dialects/${name}.yaml`), 'utf8')

const linesOf = (text: string): DialectLines => parseDialectLines('test', text)

/** Creates the client of a merchant that was written for a deployment of these lines. */
const merchantOf = (credentials: Credentials, { paths, dialect, responses, ...lines }: DialectLines) => {
  const merchant = createMerchant(credentials, {
    dialectLines: {},
    ...(paths && { paths }),
    ...(dialect && { dialect }),
    ...(responses && { responses }),
    isKeySetProtected: lines.keySet?.protected === true,
    requestDialect: { ...createRequestLens({ ...lines }), secretMembers: [] },
  })
  onTestFinished(() => merchant.close())
  return merchant
}

const start = async (dataDir: string, options: { dialect?: string } = {}) => {
  const simulator = await startSimulator({
    dataDir,
    apiPort: 0,
    pagesPort: 0,
    ...(await storeOptionFor(dataDir)),
    ...options,
  })
  onTestFinished(() => simulator.close())
  return { ...simulator, ask: controlClient(simulator) }
}

/** Initiates a payment and returns the status and the JSON of the response. */
const initiate = async (credentials: Credentials, lines: DialectLines) => {
  const merchant = merchantOf(credentials, lines)
  const json = { ...irisRequest(), processingAccountId: credentials.processingAccountIds[0] }
  const exchange = await merchant.request('initiate', { json })
  return { status: exchange.response?.status, body: responseJson(exchange) }
}

/** The members by which each dialect is known in a response of initiate. */
const SHAPES = {
  own: { status: 200, body: { transactionId: expect.any(String), status: 'PENDING' } },
  'snake-case': { status: 201, body: { payment_ref: expect.any(String), status: 'pending' } },
  bookkeeping: { status: 202, body: { data: { payment: expect.any(Number), result: 'open' } } },
}

test('2: organizations of one sandbox speak different dialects at once, and none leaks into another', async () => {
  const { ask } = await start(temporaryFolder())
  const shops = []
  for (const name of Object.keys(SHAPES) as (keyof typeof SHAPES)[]) {
    const { body: kit } = await ask('POST', 'organizations', { id: `shop-${name}` })
    const text = name === 'own' ? '' : profileText(name)
    if (text !== '')
      expect(await ask('PUT', `organizations/shop-${name}/dialect`, { profile: text })).toMatchObject({ status: 200 })
    shops.push({ name, credentials: credentialsFromKit(kit), lines: linesOf(text) })
  }
  const calls = [...shops, ...shops, ...shops].map(async ({ name, credentials, lines }) => {
    expect({ name, ...(await initiate(credentials, lines)) }).toMatchObject({ name, ...SHAPES[name] })
  })
  await Promise.all(calls)
  const [own, snake] = shops
  if (!own || !snake) throw new Error('There are three shops.')
  expect(await initiate(own.credentials, snake.lines)).toMatchObject({ status: 404, body: { status: 'DECLINED' } })
  expect(await initiate(snake.credentials, own.lines)).toMatchObject({ status: 404, body: { error: { code: 4000 } } })
})

test('2: the dialect of an organization outlasts a restart and a reset, and ends when it is taken away', async () => {
  const folder = temporaryFolder()
  const first = await start(folder)
  const here = 'organizations/demo-merchant/dialect'
  await first.ask('PUT', here, { profile: profileText('bookkeeping') })
  await first.ask('POST', 'organizations/demo-merchant/reset')
  await first.close()
  const { ask, kit } = await start(folder)
  const credentials = credentialsFromKit(kit)
  expect(await ask('GET', here)).toMatchObject({ body: { name: 'Ledger', profile: profileText('bookkeeping') } })
  expect(await initiate(credentials, linesOf(profileText('bookkeeping')))).toMatchObject(SHAPES.bookkeeping)
  expect(await ask('DELETE', here)).toMatchObject({ status: 200, body: { name: 'our own' } })
  expect(await initiate(credentials, {})).toMatchObject(SHAPES.own)
})

test.each([
  ['a line that no profile has', 'lingo: x', /^profile:1: lingo is not known here/],
  ['a pointer that is none', '\nmembers: { all: { status: result } }', /^profile:2: members\.all\.status/],
  ['text that is no YAML', 'naming: [', /^profile:\d: /],
])('2: %s is refused with line and cure, and changes nothing', async (_name, text, message) => {
  const { ask } = await start(temporaryFolder())
  const here = 'organizations/demo-merchant/dialect'
  const refused = await ask('PUT', here, { profile: text })
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } })
  expect(await ask('GET', here)).toMatchObject({ body: { name: 'our own', lines: {} } })
})

const fileOf = (name: string): string => join(import.meta.dirname, `../conformance/dialects/${name}.yaml`)

test.each(['snake-case', 'bookkeeping', 'coarse-states'])(
  '2: a client made from the kit of a sandbox that speaks %s pays, captures and refunds in our own members',
  async name => {
    const { ask, kit } = await start(temporaryFolder(), { dialect: fileOf(name) })
    const merchant = createMerchant(credentialsFromKit(kit))
    onTestFinished(() => merchant.close())
    const account = { processingAccountId: kit.processingAccountIds[0] ?? '' }
    const here = 'organizations/demo-merchant'
    const { body: phone } = await ask('POST', `${here}/blik/codes`)
    const begun = await merchant.initiate({ ...blikRequest(phone.code, { autoCapture: false }), ...account })
    expect(begun).toMatchObject({ ok: true, body: { status: 'PENDING', statusInfo: { reasonCode: '-1' } } })
    const { transactionId } = (begun as { body: { transactionId: string } }).body
    const on = { ...account, transactionId }
    await ask('POST', `${here}/payments/${transactionId}/shopper`, { action: 'approve' })
    expect(await merchant.finalize(on)).toMatchObject({ ok: true, body: { transactionId, status: 'APPROVED' } })
    const part = { ...on, clientTransactionId: 'part', paymentDetails: { amount: 400, description: 'part' } }
    expect(await merchant.capture({ ...part, paymentDetails: { amount: 1000 } })).toMatchObject({
      body: { originalTransactionId: transactionId, paymentDetails: { amount: 1000 } },
    })
    await ask('POST', `${here}/clock/drain`)
    expect(await merchant.refund(part)).toMatchObject({ body: { paymentDetails: { amount: 400 } } })
    const { body: events } = (await merchant.events(transactionId)) as { body: object }
    expect(events).toMatchObject({ transactionId, paymentDetails: { capturedAmount: 1000, refundedAmount: 400 } })
    expect(await merchant.capture({ ...part, paymentDetails: { amount: 400 } })).toMatchObject({
      ok: false,
      status: 422,
      refusal: { statusInfo: { reasonCode: '5002' } },
    })
    const wrong = await merchant.initiate({ ...irisRequest({ amount: 0 }), ...account })
    expect(wrong).toMatchObject({ ok: false, status: 400, refusal: { statusInfo: { reasonCode: '4000' } } })
    const { body: told } = await ask('GET', `${here}/inbox?limit=50`)
    for (const { headers, body, target, notification } of told.messages) {
      const webhook = { target, header: (name: string) => headers[name], body: Buffer.from(body) }
      expect(notification).toMatchObject({ transactionId, notificationType: expect.stringMatching(/^PAYMENT_/) })
      expect(await merchant.verifyWebhook(webhook, [told.secret])).toEqual({ ok: true, notification })
    }
  },
)

test('2: validation errors name the members as the dialect spells them', async () => {
  const { kit } = await start(temporaryFolder(), { dialect: fileOf('bookkeeping') })
  const { body } = await initiateWith(kit, { money: { value: 0 }, method: 'IRIS' })
  expect(JSON.stringify(body)).toContain('money.value')
  expect(JSON.stringify(body)).not.toMatch(/paymentDetails|providerDetails|clientTransactionId/)
})

/** Initiates a payment by a body as it goes over the wire. */
const initiateWith = async (kit: Parameters<typeof credentialsFromKit>[0], body: object) => {
  const merchant = createMerchant(credentialsFromKit(kit))
  onTestFinished(() => merchant.close())
  const exchange = await merchant.request('initiate', { bytes: Buffer.from(JSON.stringify(body)) })
  return { status: exchange.response?.status, body: responseJson(exchange) }
}

test('a profile of more than 32 KiB is refused before it is parsed, and one that is stored is still read', async () => {
  const { ask } = await start(temporaryFolder())
  const here = 'organizations/demo-merchant/dialect'
  const long = (bytes: number) => `name: ours\n${'#'.repeat(bytes - 11)}`
  expect(await ask('PUT', here, { profile: long(32_768) })).toMatchObject({ status: 200 })
  for (const profile of [long(32_769), `name: ours\n${'#ą'.repeat(12_000)}`, '['.repeat(40_000)])
    expect(await ask('PUT', here, { profile })).toMatchObject({
      status: 400,
      body: { error: 'profile is larger than 32768 bytes: leave out its comments, and what is no line of a dialect.' },
    })
  const registry = createDialectRegistry(createDialect({}))
  const store = { organization: async () => ({ dialect: long(50_000) }) } as never
  const dialects = createOrganizationDialects({ store, dialects: registry, onChange: () => undefined })
  expect(await dialects.refresh('shop')).toEqual([])
})

test('4: the sandbox describes itself in its usual dialect, and each organization in its own', async () => {
  const { ask, pagesUrl } = await start(temporaryFolder(), { dialect: fileOf('snake-case') })
  await ask('PUT', 'organizations/demo-merchant/dialect', { profile: profileText('bookkeeping') })
  const pathsOf = async (address: string) => {
    const answer = await fetch(`${pagesUrl}${address}`)
    expect(answer.headers.get('content-type')).toContain('yaml')
    return Object.keys(parse(await answer.text()).paths)
  }
  expect(await pathsOf('/openapi.yaml')).toContain('/v2/payments')
  expect(await pathsOf('/control/organizations/demo-merchant/openapi.yaml')).toContain('/begin')
})

test('2: the signature lab judges by the dialect: a host with its port is right where the port is kept', async () => {
  const { ask, kit } = await start(temporaryFolder(), { dialect: fileOf('bookkeeping') })
  const merchant = createMerchant(credentialsFromKit(kit))
  onTestFinished(() => merchant.close())
  const here = 'organizations/demo-merchant'
  const examine = async () => {
    const { body } = await ask('GET', `${here}/journal?limit=1`)
    return (await ask('POST', `${here}/lab`, { call: body.calls[0].callId })).body
  }
  await merchant.request('providers', { json: {} })
  expect(await examine()).toMatchObject({ verdict: 'verifies' })
  await merchant.request('providers', { json: {} }, { signing: { port: 'dropped' } })
  const wrong = await examine()
  expect(wrong.verdict).not.toBe('verifies')
  expect(JSON.stringify(wrong)).toContain('localhost:')
})

test('4: the open key set is served in the dialect that has it there', async () => {
  const { ask } = await start(temporaryFolder())
  await ask('PUT', 'organizations/demo-merchant/dialect', { profile: profileText('bookkeeping') })
  const { body: kit } = await ask('GET', 'organizations/demo-merchant/kit')
  const merchant = createMerchant(credentialsFromKit(kit))
  onTestFinished(() => merchant.close())
  expect(await merchant.keySet()).toMatchObject({
    ok: true,
    body: { keys: expect.arrayContaining([expect.anything()]) },
  })
})

test('2: a profile that this version cannot read leaves the usual dialect, and the start says so', async () => {
  const folder = temporaryFolder()
  const first = await start(folder)
  await first.close()
  const store = await openTestStore(folder)
  await store.setDialect('demo-merchant', 'decisions: { D-07: gone }')
  await store.close()
  const { notes, ask } = await start(folder)
  expect(notes).toEqual([
    expect.stringMatching(/^demo-merchant speaks the usual dialect, .*profile:1: decisions\.D-07/),
  ])
  expect(await ask('GET', 'organizations/demo-merchant/dialect')).toMatchObject({ body: { name: 'our own' } })
})

test('2: a dialect of other paths alone is read in the journal as well', async () => {
  const { ask } = await start(temporaryFolder())
  await ask('PUT', 'organizations/demo-merchant/dialect', { profile: 'paths: { status: "/p/{transactionId}" }' })
  const { body: spoken } = await ask('GET', 'organizations/demo-merchant/kit')
  const merchant = createMerchant(credentialsFromKit(spoken))
  onTestFinished(() => merchant.close())
  await merchant.request('status', { path: { transactionId: 'p-1' } }, { token: 'wrong' })
  await merchant.request('status', { path: { transactionId: 'p-1' } })
  const { body } = await ask('GET', 'organizations/demo-merchant/journal?limit=3')
  expect(body.calls[0]).toMatchObject({ operation: 'status', document: { request: '{"transactionId":"p-1"}' } })
  expect(body.calls.map(({ operation }: { operation: string }) => operation)).toEqual(['status', 'token', 'status'])
})

test('5.4: the key set of a dialect takes no address of another operation, of any dialect in use', () => {
  const dialectOf = (keySet: string, more = {}) => createDialect({ paths: { keySet, ...more } })
  const registry = createDialectRegistry(createDialect())
  registry.use('own', dialectOf('/own/keys', { reports: '/own/reports' }))
  registry.use('evil', dialectOf('/reports'))
  registry.use('also-evil', dialectOf('/payments/4711/events'))
  registry.use('evil-to-own', dialectOf('/own/reports'))
  const open = ['/.well-known/jwks.json', '/own/keys', '/reports', '/payments/4711/events', '/own/reports']
  expect(open.map(path => registry.openKeySetAt('GET', path) !== undefined)).toEqual([true, true, false, false, false])
  registry.use('own', undefined)
  expect(registry.openKeySetAt('GET', '/own/reports')).toBeDefined()
})
