import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInCatalogue, openCatalogue } from '../../simulator/scenarios/load.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { StartError } from '../../simulator/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { file, folderOf } from './write-folder.ts'

const MINE = file(`name: MINE\ntitle: Mine.\nmagic: '9001'\nsteps: { capture: { decline: BANK_TIMEOUT } }`)

const refusal = async (folder: string): Promise<string> => {
  const error = await openCatalogue(folder).catch(thrown => thrown)
  expect(error).toBeInstanceOf(StartError)
  return error.message.replaceAll(folder, 'FOLDER')
}

describe('2.7: a folder of one’s own', () => {
  test('adds its scenarios to the built-in ones', async () => {
    const catalogue = await openCatalogue(folderOf({ 'mine.yaml': MINE, 'notes.txt': 'no scenario' }))
    expect(catalogue.all).toHaveLength(builtInCatalogue().all.length + 1)
    expect(catalogue.byMagic('9001')).toBe(catalogue.find('MINE'))
    expect(catalogue.find('OK')).toBeDefined()
  })

  test('replaces the built-in scenario of the same name, magic number and all', async () => {
    const own = file(`name: REFUND_DECLINED\ntitle: Ours.\nsteps: { refund: { outcome: approved } }`)
    const catalogue = await openCatalogue(folderOf({ 'own.yml': own }))
    expect(catalogue.all).toHaveLength(builtInCatalogue().all.length)
    expect(catalogue.find('REFUND_DECLINED')?.title).toBe('Ours.')
    expect(catalogue.byMagic(builtInCatalogue().find('REFUND_DECLINED')?.magic ?? '')).toBeUndefined()
  })

  test('may take the number of what it replaces', async () => {
    const catalogue = await openCatalogue(folderOf({ 'own.yaml': file(`name: OK\ntitle: Ours.\nmagic: '0000'`) }))
    expect(catalogue.byMagic('0000')?.title).toBe('Ours.')
  })

  test('cannot have a name twice, in one file or in two', async () => {
    const twice = `scenarios:\n  - { name: A, title: A. }\n  - { name: A, title: B. }\n`
    expect(await refusal(folderOf({ 'a.yaml': twice }))).toBe(
      'FOLDER/a.yaml:3:13: name A is also that at FOLDER/a.yaml:2: choose another one.',
    )
    expect(await refusal(folderOf({ 'a.yaml': MINE, 'b.yaml': MINE.replace('9001', '9002') }))).toBe(
      'FOLDER/b.yaml:2:11: name MINE is also that at FOLDER/a.yaml:2: choose another one.',
    )
  })

  test('cannot have a magic number twice, nor one that is built in', async () => {
    expect(await refusal(folderOf({ 'a.yaml': MINE, 'b.yaml': MINE.replace('MINE', 'YOURS') }))).toBe(
      'FOLDER/b.yaml:4:12: magic 9001 is also that of MINE at FOLDER/a.yaml:4: choose another one.',
    )
    expect(await refusal(folderOf({ 'a.yaml': MINE.replace('9001', '0000') }))).toMatch(
      /^FOLDER\/a\.yaml:4:12: magic 0000 is also that of OK at scenarios\/success\.yaml:\d+: choose another one\.$/,
    )
  })

  test('must be there, be a folder and hold a file', async () => {
    const folder = temporaryFolder()
    const cure = 'name the one where your scenario files are.'
    expect(await refusal(join(folder, 'none'))).toBe(`There is no folder FOLDER: ${cure}`)
    expect(await refusal(folder)).toBe('FOLDER holds no scenario file: put one there whose name ends in .yaml.')
    expect(await refusal(join(folderOf({ 'a.yaml': MINE }), 'a.yaml'))).toContain('There is no folder')
    symlinkSync(join(folder, 'gone'), join(folder, 'b.yaml'))
    expect(await refusal(folder)).toContain('b.yaml:1:1: The file cannot be read (ENOENT)')
    rmSync(join(folder, 'b.yaml'))
    mkdirSync(join(folder, 'a.yaml'))
    expect(await refusal(folder)).toContain('holds no scenario file')
  })

  test('with many mistakes tells the first five and how to see the others', async () => {
    const lines = (
      await refusal(folderOf({ 'a.yaml': `scenarios:\n${'  - { name: a, title: A. }\n'.repeat(9)}` }))
    ).split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[0]).toMatch(/^FOLDER\/a\.yaml:2:13: name is "a": give /)
    expect(lines[5]).toBe('There are 4 more: "assay scenarios FOLDER" tells them all.')
  })

  test('with a mistake stops the start; production has no scenarios and looks at none', async () => {
    const scenarios = folderOf({ 'a.yaml': 'scenarios: []' })
    const start = (environment: 'sandbox' | 'production') =>
      startSimulator({ dataDir: temporaryFolder(), apiPort: 0, pagesPort: 0, scenarios, environment })
    await expect(start('sandbox')).rejects.toBeInstanceOf(StartError)
    const production = await start('production')
    await production.close()
    expect(production.operator.scenarios.all).toEqual([])
  })
})
