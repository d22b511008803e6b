import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { builtPackage, bundledPackages } from '../support/built-package.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { findFreePort } from '../support/free-port.ts'
import { pollUntil } from '../support/poll-until.ts'

const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'assay-my-shop-'))
const modules = join(project, 'node_modules')
let simulator: TestSimulator

/** The files of the page by name; a block that is "more of it" belongs to the one of its name. */
const filesOfPage = (): Map<string, string> => {
  const files = new Map<string, string>()
  const blocks = readSource('docs/test-my-shop.md').matchAll(/^```ts\n\/\/ ([\w.]+)(?:, more of it)?\n(.*?)^```$/gms)
  for (const [, name = '', body = ''] of blocks) files.set(name, (files.get(name) ?? '') + body)
  return files
}

/** Samples of other pages that a project with the package takes as they are: the file to write, the page, a part of it. */
const SAMPLES = [
  ['readme.ts', 'README.md', 'createMerchant('],
  ['contract.ts', 'docs/certify.md', 'certifyWith('],
] as const

const sampleOf = (page: string, part: string): string =>
  Array.from(readSource(page).matchAll(/^```ts\n(.*?)^```$/gms), ([, body = '']) => body).find(body =>
    body.includes(part),
  ) ?? `no sample of ${page}`

/** The words of the page's lines that install packages. */
const installedByPage = (): string[] =>
  (readSource('docs/test-my-shop.md').match(/^npm install .*$/gm) ?? []).flatMap(line => line.split(' '))

/** What the page tells the reader to install and to copy; nothing may be downloaded, so that it is linked. */
beforeAll(async () => {
  const built = await builtPackage()
  cpSync(built, join(modules, '@assay-sandbox/assay'), { recursive: true })
  const isOf = (name: string) => (one: string) => one === name || one.startsWith(`${name}/`)
  const bundled = bundledPackages(built).filter(name => !installedByPage().includes(name))
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(name => !bundled.some(isOf(name))))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  // @playwright/test is this and nothing more.
  const playwright = join(modules, '@playwright/test')
  mkdirSync(playwright, { recursive: true })
  writeFileSync(join(playwright, 'package.json'), '{"name": "@playwright/test", "type": "module", "main": "index.js"}')
  writeFileSync(join(playwright, 'index.js'), "export * from 'playwright/test'\n")
  writeFileSync(join(playwright, 'index.d.ts'), "export * from 'playwright/test'\n")
  cpSync(join(ROOT, 'examples/shop'), join(project, 'shop'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  for (const [name, body] of filesOfPage()) writeFileSync(join(project, name), body)
  simulator = await startTestSimulator()
}, 300_000)
afterAll(async () => {
  await simulator?.stop()
  rmSync(project, { recursive: true, force: true })
})

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, NO_COLOR: '1', ASSAY_URL: simulator.pagesUrl })
const inProject = async (file: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const argv0 = [join(modules, file), ...argv]
  const told = await run(process.execPath, argv0, { cwd: project, env: { ...environment(), ...env } }).catch(
    error => error,
  )
  return `${told.stdout}${told.stderr}`
}

/** The shop of the page's second half, deployed once with the kit of demo-merchant. */
const openShop = async (): Promise<string> => {
  const port = await findFreePort()
  const shop: ChildProcess = spawn(process.execPath, ['shop/main.ts', String(port)], {
    cwd: project,
    env: environment(),
  })
  onTestFinished(() => void shop.kill())
  const url = `http://127.0.0.1:${port}`
  const look = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  await pollUntil(look, ok => ok)
  return url
}

/** The commands of the page that run tests, as it gives them, in one folder with all its files. */
const PROGRAMS = { playwright: 'playwright/cli.js', vitest: 'vitest/vitest.mjs' }
const testRuns = Array.from(
  readSource('docs/test-my-shop.md').matchAll(/^npx (playwright test|vitest run)(.*)$/gm),
  ([command]) => command.split(' ').slice(1),
)
const asThePageSays = ([program = '', ...argv]: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  inProject(PROGRAMS[program as keyof typeof PROGRAMS], argv, env)

describe('the files of docs/test-my-shop.md, all in one folder', () => {
  const [withShops, deployed, withoutBrowser, ...others] = testRuns

  test('the browser tests pass with a shop per worker, in a sandbox that Playwright starts, beside another in the project and whoever has the usual ports', {
    timeout: 180_000,
  }, async () => {
    for (const port of [8080, 8443]) {
      const stranger = createServer((_, response) => response.end('{"status": "UP"}')).listen(port)
      stranger.on('error', () => {}) // somebody has it already
      onTestFinished(() => void stranger.close())
    }
    const ports = ['--api-port', '0', '--pages-port', '0']
    const other = spawn(process.execPath, [join(modules, '@assay-sandbox/assay/bin/assay.js'), 'serve', ...ports], {
      cwd: project,
    })
    onTestFinished(() => void other.kill())
    let told = ''
    other.stdout.on('data', bytes => {
      told += bytes
    })
    await pollUntil(
      () => told,
      text => text.includes('Pages '),
    )
    expect(others).toEqual([])
    const tools = join(project, 'tools')
    mkdirSync(tools)
    const command = `#!/bin/sh\nshift; exec "${process.execPath}" "${join(modules, '@assay-sandbox/assay/bin/assay.js')}" "$@"\n`
    writeFileSync(join(tools, 'npx'), command, { mode: 0o755 })
    const env = { ASSAY_URL: undefined, PATH: `${tools}:${process.env.PATH}` }
    expect(await asThePageSays(withShops, env)).toContain('5 passed')
  })

  test('the browser tests pass with one deployed shop', { timeout: 180_000 }, async () => {
    expect(await asThePageSays(deployed, { SHOP_URL: await openShop() })).toContain('1 passed')
  })

  test('the tests without a browser pass', { timeout: 180_000 }, async () => {
    expect(await asThePageSays(withoutBrowser)).toMatch(/Tests +1 passed/)
  })

  test('what is installed from the folder itself is there on the next machine too', () => {
    const files = installedByPage().filter(word => word.endsWith('.tgz'))
    expect(files).toEqual([expect.stringMatching(/^\.\/[^/]+\.tgz$/)])
  })

  test('the files type-check in strict mode', { timeout: 180_000 }, async () => {
    const options =
      '--noEmit --strict --target es2024 --module nodenext --types node --skipLibCheck --allowImportingTsExtensions'
    const files = [...filesOfPage().keys()]
    expect(files).toHaveLength(7)
    for (const [name, page, part] of SAMPLES) {
      writeFileSync(join(project, name), sampleOf(page, part))
      files.push(name)
    }
    expect(await inProject('typescript-newest/bin/tsc', [...options.split(' '), ...files])).toBe('')
  })
})
