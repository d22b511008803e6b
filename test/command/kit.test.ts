import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readKit } from '../../contracts/client/credentials.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { createMerchantOrganization } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { merchantWith, startScopedSimulator } from '../support/test-scoped-simulator.ts'

/** Runs `assay kit` as a child process without the machine's `ASSAY_` settings; returns its output and exit code. */
const kit = async (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, ASSAY_URL: undefined, ASSAY_CONTROL_TOKEN: undefined, ...environment }
  const words = [join(ROOT, 'bin/assay.js'), 'kit', ...argv]
  const told = await promisify(execFile)(process.execPath, words, { env }).catch(error => error)
  return { code: told.code ?? 0, stdout: String(told.stdout), stderr: String(told.stderr) }
}

/** The files of a folder with their permissions. */
const modesIn = (folder: string) =>
  readdirSync(folder).map(name => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`)

test('writes for any organization the same folder as the one of demo-merchant', async () => {
  const simulator = await startScopedSimulator()
  await createMerchantOrganization(simulator, 'corner-shop')
  const out = join(temporaryFolder(), 'kits', 'corner-shop')
  const told = await kit(['corner-shop', '--out', out], { ASSAY_URL: simulator.pagesUrl })
  const sentence = `The kit of corner-shop is in ${join(out, 'kit.json')}; it calls ${simulator.apiUrl}.\n`
  expect(told).toEqual({ code: 0, stdout: sentence, stderr: '' })
  expect(modesIn(out)).toEqual(modesIn(simulator.kitFolder))
  expect((statSync(out).mode & 0o777).toString(8)).toBe('700')
  const named = ({ signingKeys, ...rest }: { signingKeys: object[] }) =>
    JSON.stringify({ ...rest, signingKeys: signingKeys.map(key => ({ ...key, keyId: '' })) })
  const [theirs, demo] = [out, simulator.kitFolder].map(folder =>
    named(JSON.parse(readFileSync(join(folder, 'kit.json'), 'utf8'))),
  )
  expect(theirs?.replaceAll('corner-shop', 'demo-merchant')).toBe(demo)
  expect((await merchantWith(readKit(out)).search({})).status).toBe(200)
})

test('an empty folder is taken; no file that is there is overwritten', async () => {
  const { pagesUrl, kitFolder } = await startScopedSimulator()
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'file'), 'mine')
  const before = readFileSync(join(kitFolder, 'kit.json'), 'utf8')
  const to = (out: string) => kit(['demo-merchant', '--out', out, '--url', pagesUrl])
  expect(await to(join(folder, 'empty'))).toMatchObject({ code: 0 })
  for (const [out, why] of [
    [kitFolder, 'is not empty'],
    [join(folder, 'file'), 'is no folder'],
    [join(folder, 'file', 'below'), 'is no folder'],
    ['/proc/assay', 'cannot be written (ENOENT)'],
  ] as const)
    expect(await to(out)).toEqual({ code: 2, stdout: '', stderr: `${out} ${why}: choose another --out.\n` })
  expect(readFileSync(join(kitFolder, 'kit.json'), 'utf8')).toBe(before)
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine')
})

test('what the sandbox refuses, and one that does not respond, leave no folder behind', async () => {
  const { pagesUrl } = await startScopedSimulator({ controlToken: 'sesame' })
  const out = join(temporaryFolder(), 'kit')
  for (const [argv, sentence] of [
    [['demo-merchant', '--url', pagesUrl], /token.*\n$/],
    [['nobody', '--url', pagesUrl, '--token', 'sesame'], /^There is no organization nobody: .*\n$/],
    [['../journal', '--url', pagesUrl, '--token', 'sesame'], /^There is no organization .*\n$/],
    [['demo-merchant', '--url', 'http://127.0.0.1:2'], /^No sandbox responds at http:\/\/127\.0\.0\.1:2 .*\n$/],
    [['demo-merchant', '--url', 'http://localhost:6000'], /^No call can be made to .*: fetch blocks its port, .*\n$/],
  ] as const)
    expect(await kit([...argv, '--out', out])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    })
  expect(() => statSync(out)).toThrow('ENOENT')
})

test.each([
  [[], /^Name one organization and a folder: assay kit corner-shop --out/],
  [['one'], /^Name one organization and a folder/],
  [['--out', 'kit'], /^Name one organization and a folder/],
  [['one', 'two', '--out', 'kit'], /^Name one organization and a folder/],
  [['one', '--into', 'kit'], /^Unknown option '--into': "assay kit --help" lists the options\.\n$/],
])('wrong options %j give exit code 2 and one sentence', async (argv, sentence) => {
  expect(await kit(argv)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
})
