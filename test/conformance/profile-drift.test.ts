import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const LIMIT = 120_000

type Drift = { line: string; was: unknown; now: unknown }

/** Lets a simulator speak as one profile says, else as the document, and learns by another in what it differs from that. */
const driftOf = async (ours: string, spoken?: string, ...more: string[]) => {
  const simulator = await startTestSimulator(spoken === undefined ? {} : { dialect: spoken })
  const at = ['--base-url', simulator.apiUrl, '--kit', simulator.kitFolder, '--control', simulator.pagesUrl]
  try {
    return await runCertifyInProcess('diff', ours, '--tier', '3', ...at, ...more)
  } finally {
    await simulator.stop()
  }
}

/** Copies a profile of this folder, with some lines otherwise. */
const profileWith = (name: string, lines: Record<string, unknown> = {}): string =>
  changedProfile(join(import.meta.dirname, `dialects/${name}.yaml`), lines)

const changedProfile = (original: string, lines: Record<string, unknown>): string => {
  const document = parseDocument(readFileSync(original, 'utf8'))
  for (const [line, value] of Object.entries(lines)) document.setIn(line.split('.'), value)
  const file = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(file, String(document))
  return file
}

test.each(['snake-case', 'bookkeeping', 'coarse-states'])(
  'a deployment that speaks as its profile %s says has not drifted',
  async name => {
    const file = profileWith(name)
    const { code, out } = await driftOf(file, file)
    expect(out).toMatch(/^Of the \d+ lines learned, none is other than the profile says\./)
    expect(code).toBe(0)
  },
  LIMIT,
)

const NOW = {
  'members.all.transactionId': '/reference',
  'fields.initiate.transactionId': '/reference',
  'fields.charge.transactionId': '/reference',
  'fields.events.transactionId': '/reference',
  'states.authorized': ['reserved'],
  'errors.reasonCode': '/fault/number',
  'decisions.D-10': '5000',
}

test(
  'a deployment that has begun to speak otherwise is told by a sentence for each change, and the patch mends the profile',
  async () => {
    const [ours, spoken] = [profileWith('snake-case'), profileWith('snake-case', NOW)]
    const patch = join(temporaryFolder(), 'drift.patch')
    const { code, out } = await driftOf(ours, spoken, '--json', '--patch', patch)
    const { drifts } = JSON.parse(out) as { drifts: Drift[] }
    const told = Object.fromEntries(drifts.map(({ line, now }) => [line, now]))
    expect(code).toBe(8)
    expect(told).toMatchObject({
      'fields.initiate.transactionId': '/reference',
      'states.authorized': ['reserved'],
      'errors.reasonCode': '/fault/number',
      'decisions.D-10': '5000',
    })
    expect(Object.keys(told).filter(line => /^(dialect|responses|headers|paths|ids)/.test(line))).toEqual([])

    execFileSync('git', ['init', '-q'], { cwd: join(ours, '..') })
    execFileSync('git', ['apply', patch], { cwd: join(ours, '..') })
    const patched = readFileSync(ours, 'utf8')
    expect(patched).toContain('# A deployment with snake case')
    expect(parse(patched).states.authorized).toEqual(['reserved'])
    const { code: again, out: left } = await driftOf(ours, spoken)
    expect(left).toMatch(/none is other/)
    expect(again).toBe(0)

    const { out: text } = await driftOf(profileWith('snake-case'), spoken)
    expect(text).toMatch(/^states\.authorized is \["reserved"\], and not \["authorized"\]: .+\.$/m)
    expect(text).toContain('+  authorized: [ reserved ]')
  },
  LIMIT,
)

// biome-ignore format: a table reads by its columns
test.each([
  ['major',      'epoch'],
  ['major-text', 'epoch-ms'],
  ['minor-text', 'iso'],
])(
  'sums in the form %s and times in the form %s are found where they are',
  async (amounts, times) => {
    const file = changedProfile(SIMULATOR_PROFILE, { 'forms.amounts': amounts, 'forms.times': times })
    const { code, out } = await driftOf(file, file, '--json')
    const { drifts, open } = JSON.parse(out) as { drifts: Drift[]; open: string[] }
    expect([code, drifts]).toEqual([0, []])
    expect(open.filter(line => /^fields\./.test(line))).toEqual([])
  },
  LIMIT,
)

const NO_LONGER = {
  serviceVersion: '2.0',
  'headers.signature': 'X-Sig',
  'responses.label': 'sig1',
  'keySet.protected': true,
  'ids.transactionId': 'number',
  'decisions.D-48': 'of-payment',
}

test(
  'a deployment that does as usual again where its profile says otherwise has drifted, and a line that nothing shows is open',
  async () => {
    const ours = changedProfile(SIMULATOR_PROFILE, { ...NO_LONGER, 'fields.status.captured': '/captured' })
    const { code, out } = await driftOf(ours, undefined, '--json')
    const { drifts, open } = JSON.parse(out) as { drifts: Drift[]; open: string[] }
    expect(code).toBe(8)
    expect(Object.fromEntries(drifts.map(({ line, was, now }) => [line, [was, now]]))).toEqual({
      serviceVersion: ['2.0', '1.0'],
      'headers.signature': ['X-Sig', 'signature'],
      'responses.label': ['sig1', 'service_sig'],
      'keySet.protected': [true, false],
      'ids.transactionId': ['number', 'text'],
      'decisions.D-48': ['of-payment', 'of-operation'],
    })
    expect(open).toContainEqual(expect.stringMatching(/^fields\.status\.captured\b.*: /))
  },
  LIMIT,
)
