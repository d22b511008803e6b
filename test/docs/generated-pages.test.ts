import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONDUCT_RULES } from '../../contracts/conduct/judge-conduct.ts'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { generatedPages } from '../../docs/generated-pages.ts'
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { TRANSITIONS } from '../../simulator/payments/lifecycle.ts'
import { FAULTS } from '../../simulator/providers/fault-kinds.ts'

const pages = generatedPages()
const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const rowsWith = (file: string, cells: string) =>
  read(file)
    .split('\n')
    .filter(line => line.includes(`| ${cells} |`))

describe('generated pages', () => {
  test.each(Object.keys(pages))('%s is up to date', file => {
    expect(read(file) === pages[file], `${file} is stale: run \`npm run update\``).toBe(true)
  })

  test('7.1, 7.3: every refusal has its row', () => {
    for (const { http, reasonCode, meaning } of Object.values(REFUSALS))
      expect(rowsWith('docs/errors.md', `${http} | \`${reasonCode}\` | ${meaning}`)).toHaveLength(1)
  })

  test('7.5: every code of a provider has its row', () => {
    for (const { provider, code, reasonCode } of PROVIDER_CODES)
      expect(rowsWith('docs/errors.md', `${provider} | \`${code}\` | \`${reasonCode}\``)).toHaveLength(1)
  })

  test('7.4: every fault has its row', () => {
    for (const { kind, done, meaning } of FAULTS)
      expect(rowsWith('docs/faults.md', meaning)).toEqual([
        expect.stringContaining(`| \`${kind}\` | ${done === undefined ? '' : `\`${done}\``} |`),
      ])
  })

  test('every rule of conduct and every drill has its row', () => {
    for (const { id, clause, title } of CONDUCT_RULES)
      expect(rowsWith('docs/conduct.md', `${id} | ${clause} | ${title}`)).toHaveLength(1)
    for (const { name, title } of readBuiltInDrills())
      expect(rowsWith('docs/conduct.md', `\`${name}\` | ${title}`)).toHaveLength(1)
  })

  test('3: every transition of the simulator is in the table', () => {
    for (const [from, cause, outcome, to, event] of TRANSITIONS) {
      const cells = `${from === 'NEW' ? 'none' : `\`${from}\``} | ${cause} | ${outcome} | \`${to}\` | \`${event}\``
      expect(rowsWith('docs/lifecycle.md', cells)).toHaveLength(1)
    }
  })
})
