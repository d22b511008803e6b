import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ProfileError, readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { readConfig } from '../../simulator/options/read-config.ts'
import { checkScenarioFolder } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const doubled = Array.from(
  { length: 40 },
  (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
)

const BOMBS: [string, string][] = [
  ['aliases of aliases, nine each, forty deep', `a0: &a0 [x]\n${doubled.join('\n')}\n`],
  ['an alias of what it stands in', 'a: &a [*a]\n'],
  ['a hundred thousand open lists', '['.repeat(100_000)],
  ['ten thousand lists in one another', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`],
  ['a tag of another language', 'a: !!js/function "function () { process.exit(1) }"\n'],
  ['a member named __proto__', '__proto__: { polluted: yes }\nconstructor: { prototype: { polluted: yes } }\n'],
  ['a merge of __proto__', 'a: &a { __proto__: { polluted: yes } }\n<<: *a\n'],
  ['100 KB of quotes', `a: ${'"\\'.repeat(50_000)}\n`],
  ['100 KB of spaces', `a:${' '.repeat(100_000)}b: c\n`],
]

/** Readers of YAML files by name; each rejects with an error. */
const READERS: [string, (file: string, folder: string) => Promise<unknown>][] = [
  ['a profile', async file => readProfile(file)],
  ['a configuration', async file => readConfig(['--config', file], {})],
  [
    'scenarios',
    async (_file, folder) => {
      const { mistakes } = await checkScenarioFolder(folder)
      throw new StartError(mistakes.map(({ sentence }) => sentence).join('\n'))
    },
  ],
]

describe.each(READERS)('%s', (_name, read) => {
  test.each(BOMBS)('%s gives a short error and no side effect', async (_case, text) => {
    const folder = temporaryFolder()
    const file = join(folder, 'bomb.yaml')
    writeFileSync(file, text)
    const told: unknown = await read(file, folder).catch(error => error)
    expect(told instanceof StartError || told instanceof ProfileError, String(told)).toBe(true)
    expect((told as Error).message).toMatch(/\S.*\.$/s)
    expect((told as Error).message.length).toBeLessThan(2_000)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
