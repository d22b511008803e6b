import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Document, parse, stringify } from 'yaml'
import type { CallParts } from '../../contracts/client/endpoint-call.ts'
import { responseJson } from '../../contracts/client/http-exchange.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { valueAtPointer } from '../../contracts/dialect/json-pointer.ts'
import { createRequestLens } from '../../contracts/dialect/request-lens.ts'
import type { OperationName } from '../../contracts/operations.ts'
import type { Finding } from '../../contracts/scout/probe-findings.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { startStandIn, writeStandInProfile } from './stand-in/start-stand-in.ts'

const LIMIT = 120_000
const SHAPES = parse(readFileSync(join(import.meta.dirname, 'stand-in/stand-in-shapes.yaml'), 'utf8'))

/** What scout learns of a stand-in from its credentials and these lines. */
const scoutStandIn = async (lines: object, { tier = 3, variants = [] as string[] } = {}) => {
  const folder = temporaryFolder()
  const standIn = await startStandIn({ folder, variants, settings: { settle_seconds: 0.2 } })
  try {
    const file = writeStandInProfile(folder, standIn, lines)
    const { code, out, err } = await runCertifyInProcess('scout', '--profile', file, '--tier', String(tier), '--json')
    expect([code, err]).toEqual([0, ''])
    const { found, open } = JSON.parse(out) as { found: Finding[]; open: string[] }
    return { learned: Object.fromEntries(found.map(({ line, value }) => [line, value])), open, found }
  } finally {
    await standIn.stop()
  }
}

test(
  'scout takes no id of a stranger for a state, and no header under its usual name for a missing one',
  async () => {
    const { learned, open } = await scoutStandIn({})
    expect(JSON.stringify(learned)).not.toMatch(/pay_|"states\.|errors\.declined/)
    expect(learned).toMatchObject({ 'fields.initiate.transactionId': '/payment/transaction_id' })
    expect(open.filter(line => line.startsWith('headers.'))).toEqual([])
  },
  LIMIT,
)

test(
  'scout learns the states of a stranger once requests and test codes are named',
  async () => {
    const { requests, shopper, settlement, mocks, paths } = SHAPES
    const lines = { requests, settlement, mocks, paths, shopper: { codes: shopper.codes } }
    const { learned, open } = await scoutStandIn(lines)
    expect(learned).toMatchObject({
      'fields.status.state': '/payment/state',
      'states.authorized': ['AUTHORIZED'],
      'states.captured': ['PART_CAPTURED', 'CAPTURED'],
      'states.settled': ['SETTLED'],
      'fields.events.list': '/history',
      'fields.status.captured': '/payment/money/captured',
      'fields.status.refunded': '/payment/money/refunded',
      'fields.initiate.status': '/payment/state',
    })
    expect(open.filter(line => /^sum\./.test(line))).toEqual([]) // what was learned in this run is not open
    await payAsWithStranger(learned, { requests, mocks, paths })
  },
  LIMIT,
)

test(
  'scout goes on where a payment lapses later than the patience of the profile, and learns no D-07 from a code for every payment',
  async () => {
    const { requests, shopper, settlement, mocks, paths } = SHAPES
    const lines = { requests, settlement, mocks, paths, shopper: { codes: shopper.codes }, patience: 'PT15S' }
    const { learned, open, found } = await scoutStandIn(lines)
    expect(learned).toMatchObject({ 'states.authorized': ['AUTHORIZED'], 'states.settled': ['SETTLED'] })
    expect(learned).not.toHaveProperty('states.expired')
    expect(learned).not.toHaveProperty(['decisions.D-07'])
    const decisions = found.filter(({ line }) => line.startsWith('decisions.'))
    expect(decisions).not.toEqual([])
    expect(decisions.filter(({ sameAs }) => sameAs.length === 0)).toEqual([])
    expect(open).toContainEqual(expect.stringMatching(/^decisions\.D-07: not seen, a BLIK code used twice: /))
  },
  LIMIT,
)

/** Pays at a simulator that speaks what scout learned, by a client written for the stranger, which reads at its places. */
const payAsWithStranger = async (learned: Readonly<Record<string, unknown>>, told: object): Promise<void> => {
  const profile = new Document(told)
  for (const [line, value] of Object.entries(learned)) profile.setIn(line.split('.'), value)
  const file = join(temporaryFolder(), 'stranger.yaml')
  writeFileSync(file, String(profile))
  const simulator = await startTestSimulator({ dialect: file })
  await expectNoDrift(profile, simulator)
  const merchant = createMerchant(simulator.credentials, {
    dialectLines: {},
    paths: PATHS,
    dialect: SHAPES.dialect,
    requestDialect: { ...createRequestLens(SHAPES), secretMembers: [] },
  })
  const [account = ''] = simulator.credentials.processingAccountIds
  const ask = organizationControl(simulator)
  const stateOf = async (operation: OperationName, parts: CallParts) => {
    const exchange = await merchant.request(operation, parts)
    const json = responseJson(exchange)
    return [valueAtPointer(json, '/payment/transaction_id'), valueAtPointer(json, '/payment/state')]
  }
  try {
    const { body: phone } = await ask.post('blik/codes')
    const started = { ...blikRequest(phone.code, { autoCapture: false }), processingAccountId: account }
    const [transactionId, waiting] = await stateOf('initiate', { json: started })
    expect(waiting).toBe('AWAITING_PAYER')
    await ask.post(`payments/${transactionId}/shopper`, { action: 'approve' })
    const on = { processingAccountId: account, transactionId: String(transactionId), clientTransactionId: 'step' }
    const path = { transactionId: String(transactionId) }
    expect(
      await stateOf('finalize', { json: { processingAccountId: account, transactionId: String(transactionId) } }),
    ).toEqual([transactionId, 'AUTHORIZED'])
    const { response } = await merchant.request('capture', { json: { ...on, paymentDetails: { amount: 1000 } } })
    expect(response?.status).toBe(200)
    expect(await stateOf('status', { path })).toEqual([transactionId, 'CAPTURED'])
    await ask.advance('PT10S')
    expect(await stateOf('status', { path })).toEqual([transactionId, 'SETTLED'])
  } finally {
    merchant.close()
    await simulator.stop()
  }
}

/** Expects that a simulator differs in nothing that scout can learn from the stranger of this profile, whose dialect it speaks. */
const expectNoDrift = async (
  profile: Document,
  { apiUrl: baseUrl, kitFolder: kit, pagesUrl: url }: TestSimulator,
): Promise<void> => {
  const file = join(temporaryFolder(), 'stranger.yaml')
  const own = { name: 'Stranger', target: { baseUrl, environment: 'sandbox' }, organization: { kit }, control: { url } }
  const { shopper: _, ...lines } = profile.toJS()
  writeFileSync(file, stringify({ ...lines, ...own }))
  const { out } = await runCertifyInProcess('diff', file, '--tier', '3', '--json')
  expect(JSON.parse(out)).toMatchObject({ drifts: [], patch: '' })
}

const { responses, paths: PATHS } = SHAPES
const WITH_RESPONSES = { 'responses.label': 'answer', 'responses.digest': 'sha-512' }

// biome-ignore format: a table reads by its columns
const SIGNED: readonly (readonly [variant: string, lines: object])[] = [
  ['params-without-label',           { 'responses.reading': responses.reading, 'responses.encoding': responses.encoding, 'dialect.reading': 'rfc' }],
  ['responses-signed-like-requests', { 'responses.reading': 'literal', 'responses.encoding': 'der', 'dialect.reading': 'literal' }],
  ['guarded-key-set',                { 'responses.reading': responses.reading, 'responses.encoding': responses.encoding, 'keySet.protected': true }],
]

test.each(SIGNED)(
  'scout learns by reads alone how the variant %s signs responses, and whether it guards its key set',
  async (variant, lines) => {
    const { learned, open } = await scoutStandIn({ paths: PATHS }, { tier: 1, variants: [variant] })
    expect(learned).toMatchObject({ ...WITH_RESPONSES, ...lines, 'paths.keySet': PATHS.keySet })
    expect('keySet.protected' in learned).toBe(variant === 'guarded-key-set')
    expect(open.filter(line => /^(responses|paths)/.test(line))).toEqual([])
  },
  LIMIT,
)
