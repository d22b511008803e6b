import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readProfile } from '../../contracts/harness/profile.ts'
import { byLot } from '../support/lot.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certify, idsOf, othersThan } from './certify.ts'
import { LEDGER } from './spellings/ledger.ts'
import { SNAKE } from './spellings/snake.ts'
import { startWrapper } from './translating-wrapper.ts'

const ASSAY = join(import.meta.dirname, '../../bin/assay.js')
const LIMIT = 120_000

/** What only its operator can know: where it is, how requests are spelt, and what it calls a mock. */
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

const TONGUES = [
  ['snake', SNAKE],
  ['ledger', LEDGER],
] as const

test.each(byLot(TONGUES, 1))(
  'S08 to S34: from next to nothing, scout learns the spelling of %s',
  async (name, tongue) => {
    const wrapper = await startWrapper(tongue)
    try {
      const whole = parse(readFileSync(join(import.meta.dirname, `spellings/${name}.yaml`), 'utf8'))
      const scarce = Object.fromEntries(TOLD.filter(line => line in whole).map(line => [line, whole[line]]))
      delete scarce.paths.keySet
      const { status: _, ...enums } = whole.enums
      scarce.enums = enums
      scarce.target.baseUrl = wrapper.apiUrl
      scarce.organization.kit = wrapper.kitFolder
      scarce.control.url = wrapper.pagesUrl
      const file = join(temporaryFolder(), 'profile.yaml')
      writeFileSync(file, stringify(scarce))

      const { code, out } = await scout(file)
      expect({ code, out }).toMatchObject({ code: 0 })
      const { fields, states, dialect, errors, enums: words, ids } = parse(readFileSync(file, 'utf8'))
      expect(whole).toMatchObject({ fields, states, errors, enums: words, ...(ids && { ids }) })
      expect(dialect).toMatchObject(whole.dialect)
      const results = await certify(readProfile(file))
      expect(othersThan(results, 'pass', 'observed', 'not applicable', 'withheld', 'known')).toEqual([])
      expect(idsOf(results, 'pass').length).toBeGreaterThan(250)
      expect(idsOf(results, 'pass')).not.toContain('LIF-01')
    } finally {
      await wrapper.stop()
    }
  },
  LIMIT,
)
