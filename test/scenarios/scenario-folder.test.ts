import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBuiltInCatalogue, openScenarioCatalogue } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scenarioFileText, writeScenarioFolder } from './write-scenario-files.ts'

const MINE = scenarioFileText(`name: MINE\ntitle: Mine.\nmagic: '9001'\nsteps: { capture: { decline: BANK_TIMEOUT } }`)

const refusal = async (folder: string): Promise<string> => {
  const error = await openScenarioCatalogue(folder).catch(thrown => thrown)
  expect(error).toBeInstanceOf(StartError)
  return error.message.replaceAll(folder, 'FOLDER')
}

describe('2.7: the folder of --scenarios', () => {
  test('adds its scenarios to the built-in ones', async () => {
    const catalogue = await openScenarioCatalogue(
      writeScenarioFolder({ 'mine.yaml': MINE, 'notes.txt': 'no scenario' }),
    )
    expect(catalogue.all).toHaveLength(createBuiltInCatalogue().all.length + 1)
    expect(catalogue.byMagic('9001')).toBe(catalogue.find('MINE'))
    expect(catalogue.find('OK')).toBeDefined()
  })

  test('replaces the built-in scenario of the same name with its magic number', async () => {
    const own = scenarioFileText(`name: REFUND_DECLINED\ntitle: Ours.\nsteps: { refund: { outcome: approved } }`)
    const catalogue = await openScenarioCatalogue(writeScenarioFolder({ 'own.yml': own }))
    expect(catalogue.all).toHaveLength(createBuiltInCatalogue().all.length)
    expect(catalogue.find('REFUND_DECLINED')?.title).toBe('Ours.')
    expect(catalogue.byMagic(createBuiltInCatalogue().find('REFUND_DECLINED')?.magic ?? '')).toBeUndefined()
  })

  test('may reuse the magic number of a scenario it replaces', async () => {
    const catalogue = await openScenarioCatalogue(
      writeScenarioFolder({ 'own.yaml': scenarioFileText(`name: OK\ntitle: Ours.\nmagic: '0000'`) }),
    )
    expect(catalogue.byMagic('0000')?.title).toBe('Ours.')
  })

  test('may not contain a name twice, in one file or in two', async () => {
    const twice = `scenarios:\n  - { name: A, title: A. }\n  - { name: A, title: B. }\n`
    expect(await refusal(writeScenarioFolder({ 'a.yaml': twice }))).toBe(
      'FOLDER/a.yaml:3:13: name A is also that at FOLDER/a.yaml:2: choose another one.',
    )
    expect(await refusal(writeScenarioFolder({ 'a.yaml': MINE, 'b.yaml': MINE.replace('9001', '9002') }))).toBe(
      'FOLDER/b.yaml:2:11: name MINE is also that at FOLDER/a.yaml:2: choose another one.',
    )
  })

  test('may not contain a magic number twice, nor a built-in one', async () => {
    expect(await refusal(writeScenarioFolder({ 'a.yaml': MINE, 'b.yaml': MINE.replace('MINE', 'YOURS') }))).toBe(
      'FOLDER/b.yaml:4:12: magic 9001 is also that of MINE at FOLDER/a.yaml:4: choose another one.',
    )
    expect(await refusal(writeScenarioFolder({ 'a.yaml': MINE.replace('9001', '0000') }))).toMatch(
      /^FOLDER\/a\.yaml:4:12: magic 0000 is also that of OK at scenarios\/success\.yaml:\d+: choose another one\.$/,
    )
  })

  test('must exist, be a folder and contain a scenario file', async () => {
    const folder = temporaryFolder()
    const cure = 'name the one where your scenario files are.'
    expect(await refusal(join(folder, 'none'))).toBe(`There is no folder FOLDER: ${cure}`)
    expect(await refusal(folder)).toBe('FOLDER has no scenario file: add one with a name that ends in .yaml.')
    expect(await refusal(join(writeScenarioFolder({ 'a.yaml': MINE }), 'a.yaml'))).toContain('There is no folder')
    symlinkSync(join(folder, 'gone'), join(folder, 'b.yaml'))
    expect(await refusal(folder)).toContain('b.yaml:1:1: The file cannot be read (ENOENT)')
    rmSync(join(folder, 'b.yaml'))
    mkdirSync(join(folder, 'a.yaml'))
    expect(await refusal(folder)).toContain('has no scenario file')
  })

  test('may not contain a file or a folder with scenarios that would not be read', async () => {
    const cure = 'This is not read: move it into the folder itself, with a name that ends in .yaml, or out of it.'
    const folder = writeScenarioFolder({ 'a.yaml': MINE, 'B.YAML': MINE, 'C.Yml': MINE })
    expect((await refusal(folder)).split('\n')).toEqual([`FOLDER/B.YAML:1:1: ${cure}`, `FOLDER/C.Yml:1:1: ${cure}`])
    const deep = writeScenarioFolder({ 'a.yaml': MINE })
    for (const name of ['sub/deeper', 'notes', '..data']) mkdirSync(join(deep, name), { recursive: true })
    for (const name of ['sub/deeper/b.yaml', '..data/a.yaml', 'notes/c.txt']) writeFileSync(join(deep, name), MINE)
    expect(await refusal(deep)).toBe(`FOLDER/sub/deeper/b.yaml:1:1: ${cure}`)
  })

  test('with many errors reports the first five and the command that lists all', async () => {
    const lines = (
      await refusal(writeScenarioFolder({ 'a.yaml': `scenarios:\n${'  - { name: a, title: A. }\n'.repeat(9)}` }))
    ).split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[0]).toMatch(/^FOLDER\/a\.yaml:2:13: name is "a": give /)
    expect(lines[5]).toBe('There are 4 more: "assay scenarios FOLDER" lists them all.')
  })

  test('with an error fails the start, except in production, which has no scenarios', async () => {
    const scenarios = writeScenarioFolder({ 'a.yaml': 'scenarios: []' })
    const start = (environment: 'sandbox' | 'production') =>
      startSimulator({ dataDir: temporaryFolder(), apiPort: 0, pagesPort: 0, scenarios, environment })
    await expect(start('sandbox')).rejects.toBeInstanceOf(StartError)
    const production = await start('production')
    await production.close()
    expect(production.controlPlane.scenarios.all).toEqual([])
  })
})
