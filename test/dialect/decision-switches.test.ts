import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisionChoices, switchableDecisions } from '../../contracts/dialect/decision-choices.ts'
import { parseDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { startSimulator } from '../../simulator/index.ts'
import { readDialectFile } from '../../simulator/options/read-dialect-file.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Opens the simulator with decisions chosen otherwise. */
const openWith = (chosen: Parameters<typeof decisionChoices>[0]): Promise<SimulatorCore> =>
  openCore({ choices: decisionChoices(chosen) })

const dialectFile = (text: string): string => {
  const file = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(file, text)
  return file
}

describe('decisions of a profile', () => {
  test('a decision that is not named has its usual value', () => {
    expect(decisionChoices()['D-07']).toBe('200')
    expect(readDialectFile(undefined).choices).toEqual(decisionChoices())
  })

  test.each([
    ['a value that it does not have', 'decisions: { D-07: maybe }', /D-07 is "maybe": give "200" or "402" or "422"/],
    ['a decision that cannot be switched', 'decisions: { D-105: files }', /D-105 cannot be switched: .*D-07/],
  ])('%s is refused with file and line', (_name, text, message) => {
    expect(() => parseDialectLines('ours.yaml', text)).toThrow(message)
    expect(() => parseDialectLines('ours.yaml', text)).toThrow(/^ours\.yaml:1: /)
  })

  test('a file that is not there stops the start with one sentence', async () => {
    await expect(startSimulator({ dialect: 'nowhere.yaml', dataDir: temporaryFolder() })).rejects.toThrow(
      'There is no readable file nowhere.yaml',
    )
  })

  test('--dialect reads the decisions of a profile without target and credentials', () => {
    expect(readDialectFile(dialectFile("decisions: { D-07: '402' }")).choices['D-07']).toBe('402')
  })
})

test('each decision that can be switched is one condition in one place', () => {
  const files = [...globSync('simulator/**/*.ts', { cwd: ROOT }), 'contracts/dialect/status-and-code-of-refusal.ts']
  const code = files.map(file => readFileSync(join(ROOT, file), 'utf8')).join('\n')
  const places = Object.fromEntries(switchableDecisions().map(number => [number, code.split(`'${number}'`).length - 1]))
  expect(places).toEqual(Object.fromEntries(switchableDecisions().map(number => [number, 1])))
})

describe('D-07: a business decline', () => {
  test.each(['200', '402', '422'] as const)('%s: the status of a payment that the provider declines', async status => {
    const core = await openWith({ 'D-07': status })
    const declined = await core.call('initiate', blikRequest('123456'))
    expect(declined).toMatchObject({ http: Number(status), body: { status: 'DECLINED' } })
    expect((await core.status(declined.body.transactionId)).http).toBe(200)
  })
})
