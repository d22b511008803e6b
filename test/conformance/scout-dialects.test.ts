import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeResultsExcept, idsWithVerdict, runSuites } from './run-suites.ts'

const ASSAY = join(import.meta.dirname, '../../bin/assay.js')
const LIMIT = 120_000

/** Profile lines that scout cannot learn: addresses, request fields, mocks. */
const TOLD = [
  'name',
  'target',
  'organization',
  'secondOrganization',
  'control',
  'paths',
  'requests',
  'mocks',
  'limits',
  'confirmed',
  'notApplicable',
  'knownFailures',
  'webhooks',
]

const scout = (file: string): Promise<{ code: number | null; out: string }> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [ASSAY, 'certify', 'scout', '--profile', file, '--tier', '3', '--write'])
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (out += text))
    child.on('close', code => resolve({ code, out }))
  })

/** What the two deployments do where the document is silent. */
const USUAL = {
  'D-07': '200',
  'D-10': '4001',
  'D-14': '404',
  'D-16': '400',
  'D-18': '400',
  'D-34': 'pending',
  'D-35': 'refused',
  'D-39': 'waiting',
  'D-48': 'of-operation',
}
const OTHERWISE = {
  ...USUAL,
  'D-10': '5000',
  'D-14': '405',
  'D-16': '415',
  'D-18': '428',
  'D-34': '422',
  'D-35': 'repeated',
  'D-39': 'authorized',
  'D-48': 'of-payment',
}

/** Checks that read by what is learned: identifiers, states, reason codes, signatures, and decisions. */
const OF_LEARNED_LINES = ['TOK', 'SIG', 'RSP', 'BLK', 'IRS', 'LIF', 'MAP', 'VAL', 'RDS', 'IDM', 'ERR']

const DIALECTS = [
  ['snake case', join(import.meta.dirname, 'dialects/snake-case.yaml'), USUAL],
  ['bookkeeping', join(import.meta.dirname, 'dialects/bookkeeping.yaml'), OTHERWISE],
] as const

test.each(DIALECTS)(
  'S08 to S34: scout learns the dialect %s from a minimal profile',
  async (_name, written, decisions) => {
    const spoken = join(temporaryFolder(), 'spoken.yaml')
    writeFileSync(spoken, stringify({ ...parse(readFileSync(written, 'utf8')), decisions }))
    const simulator = await startTestSimulator({ dialect: spoken })
    try {
      const whole = parse(readFileSync(written, 'utf8'))
      const scarce = Object.fromEntries(TOLD.filter(line => line in whole).map(line => [line, whole[line]]))
      delete scarce.paths.keySet
      const { status: _, ...enums } = whole.enums
      scarce.enums = enums
      scarce.target.baseUrl = simulator.apiUrl
      scarce.organization.kit = simulator.kitFolder
      scarce.control.url = simulator.pagesUrl
      const file = join(temporaryFolder(), 'profile.yaml')
      writeFileSync(file, stringify(scarce))

      const { code, out } = await scout(file)
      expect({ code, out }).toMatchObject({ code: 0 })
      const { fields, states, dialect, errors, enums: words, ids, ...learned } = parse(readFileSync(file, 'utf8'))
      expect(learned.decisions).toEqual(decisions)
      expect(whole).toMatchObject({ fields, states, errors, enums: words, ...(ids && { ids }) })
      expect(dialect).toMatchObject(whole.dialect)
      const results = await runSuites(readProfile(file), OF_LEARNED_LINES)
      expect(describeResultsExcept(results, 'pass', 'observed', 'not applicable', 'withheld', 'known')).toEqual([])
      expect(idsWithVerdict(results, 'pass').length).toBeGreaterThan(100)
      expect(idsWithVerdict(results, 'pass')).not.toContain('LIF-01')
    } finally {
      await simulator.stop()
    }
  },
  LIMIT,
)
