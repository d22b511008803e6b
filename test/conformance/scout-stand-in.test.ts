import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Finding } from '../../contracts/scout/probe-findings.ts'
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
    return { learned: Object.fromEntries(found.map(({ line, value }) => [line, value])), open }
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
    const { learned } = await scoutStandIn({ requests, settlement, mocks, paths, shopper: { codes: shopper.codes } })
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
  },
  LIMIT,
)

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
