import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { builtPackage, bundledPackages } from '../support/built-package.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'assay-package-'))
const modules = join(project, 'node_modules')

const NAME = '@assay-sandbox/assay'

/** An empty project into which the tarball was unpacked; what it depends on is linked, since nothing may be downloaded. */
beforeAll(async () => {
  const dist = await builtPackage()
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', project], { cwd: dist, stdio: 'pipe' })
  const tarball = (JSON.parse(packed.toString()) as { filename: string }[])[0]?.filename ?? ''
  const ours = join(modules, NAME)
  mkdirSync(ours, { recursive: true })
  execFileSync('tar', ['-xzf', join(project, tarball), '--strip-components=1', '-C', ours])
  const bundled = bundledPackages(ours)
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!bundled.some(one => one === name || one.startsWith(`${name}/`)))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
}, 300_000)
afterAll(() => rmSync(project, { recursive: true, force: true }))

const inProject = (file: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(file, [...argv], { cwd: project, env: { ...process.env, ...env } })

const FAILING = `
import { sandboxFixtures } from '@assay-sandbox/assay/playwright'
import { test as base } from 'playwright/test'

base.extend(sandboxFixtures)('fails', async ({ blik, merchant }) => {
  const begun = await merchant.initiate({
    processingAccountId: merchant.credentials.processingAccountIds[0],
    clientTransactionId: 'order-1',
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 1999, currency: 'PLN', country: 'PL', description: 'Honey' },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: await blik.code() },
  })
  throw new Error('on purpose')
})
`

describe('the package, installed in an empty project', () => {
  test('may be published, and has its license as a file and as a field', () => {
    const described = JSON.parse(readFileSync(join(modules, '@assay-sandbox/assay/package.json'), 'utf8'))
    expect(described).toMatchObject({ license: 'Apache-2.0' })
    expect(described).not.toHaveProperty('private')
    expect(readFileSync(join(modules, NAME, 'LICENSE'), 'utf8')).toBe(readSource('LICENSE'))
  })

  test('brings no Node, no compiler is needed, and what few use is installed by them', () => {
    const described = JSON.parse(readFileSync(join(modules, '@assay-sandbox/assay/package.json'), 'utf8'))
    expect(Object.keys(described.dependencies)).toEqual(['better-sqlite3', 'openapi-fetch'])
    expect(described).not.toHaveProperty('optionalDependencies')
    expect(described.peerDependenciesMeta).toEqual(
      Object.fromEntries(
        ['@faker-js/faker', 'pg', 'pino', 'prom-client', '@types/node'].map(name => [name, { optional: true }]),
      ),
    )
    const database = join(modules, NAME, 'node_modules/better-sqlite3')
    expect(readdirSync(database).sort()).toEqual(['LICENSE', 'lib', 'package.json', 'prebuilds'])
    expect(readdirSync(join(database, 'prebuilds'))).toContain('darwin-arm64.node')
    expect(JSON.parse(readFileSync(join(database, 'package.json'), 'utf8'))).not.toHaveProperty('scripts')
  })

  test('its pages link to nothing that it does not bring', () => {
    const folder = join(modules, NAME)
    const pages = globSync(['*.md', '{contracts,docs,examples}/**/*.{md,txt}'], { cwd: folder })
    expect(pages.length).toBeGreaterThan(20)
    const dead = pages.flatMap(page =>
      Array.from(readFileSync(join(folder, page), 'utf8').matchAll(/\]\(<?([^)>\s]+)>?\)/g), ([, link = '']) => link)
        .filter(link => !/^\w+:|^#/.test(link) && !existsSync(join(folder, dirname(page), link.replace(/#.*/, ''))))
        .map(link => `${page}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  test('has the licences of the packages whose code it brings', () => {
    const bundled = bundledPackages(join(modules, NAME))
    expect(bundled).toEqual(expect.arrayContaining(['@hono/node-server', 'ajv', 'asn1js', 'hono', 'jose', 'yaml']))
    expect(bundled).not.toContain('openapi-fetch')
    const { packages } = JSON.parse(readSource('package-lock.json'))
    expect(bundled.filter(name => packages[`node_modules/${name}`].dev)).toEqual([])
  })

  test('names the package that a command needs and does not find', async () => {
    const bare = join(temporaryFolder(), 'node_modules')
    cpSync(join(modules, NAME), join(bare, NAME), { recursive: true })
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(join(ROOT, 'node_modules', name), join(bare, name))
    const told = (...argv: string[]) =>
      run(process.execPath, [join(bare, NAME, 'bin/assay.js'), ...argv]).catch(error => error)
    expect(await told('seed')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install @faker-js/faker'),
    })
    const needed = [
      ['pg', '--store', 'postgres://localhost/none'],
      ['pino', '--log', 'json'],
      ['prom-client', '--metrics', 'on'],
    ]
    for (const [name, ...options] of needed)
      expect(await told('serve', ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`npm install ${name}`),
      })
  })

  test('has the assay command', async () => {
    const { stdout } = await inProject(process.execPath, [join(modules, NAME, 'bin/assay.js'), 'help'])
    expect(stdout).toMatch(/serve .*\n.*certify /)
  })

  test('starts a simulator in process and makes a payment', async () => {
    cpSync(join(ROOT, 'test/packaging/npm-package-sample-merchant.ts'), join(project, 'consumer.ts'))
    const { stdout } = await inProject(process.execPath, ['consumer.ts'])
    expect(stdout).toBe('SETTLED\n')
  })

  test.each(['typescript-oldest', 'typescript-newest'])(
    'has types that check in strict mode without the sources: %s',
    async compiler => {
      const options = '--noEmit --strict --target es2022 --module nodenext --types node --skipDefaultLibCheck'.split(
        ' ',
      )
      const checked = inProject(process.execPath, [join(modules, compiler, 'bin/tsc'), ...options, 'consumer.ts'])
      expect(await checked.catch(error => error.stdout)).toMatchObject({ stdout: '' })
    },
  )

  test('brings Playwright fixtures that drive a shop, and attach the timeline of every payment of a test that failed', {
    timeout: 180_000,
  }, async () => {
    for (const name of ['hono', '@hono']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name)) // the shop's own
    for (const name of ['shop', 'playwright'])
      cpSync(join(ROOT, 'examples', name), join(project, 'examples', name), { recursive: true })
    writeFileSync(join(project, 'examples/playwright/failing.spec.ts'), FAILING)
    const simulator = await startTestSimulator()
    const config = 'examples/playwright/playwright.config.ts'
    const argv = [join(modules, 'playwright/cli.js'), 'test', '-c', config, '--reporter', 'json']
    const { stdout } = await inProject(process.execPath, argv, { ASSAY_URL: simulator.pagesUrl }).catch(error => error)
    await simulator.stop()
    const { stats, suites } = JSON.parse(stdout)
    expect(stats).toMatchObject({ expected: 5, unexpected: 1 })
    const { specs } = suites.find(({ file }: { file: string }) => file === 'failing.spec.ts')
    const attached = specs[0].tests[0].results[0].attachments.filter((one: { name: string }) =>
      /^payment /.test(one.name),
    )
    expect(attached).toMatchObject([{ contentType: 'image/svg+xml' }])
    expect(Buffer.from(attached[0].body, 'base64').toString()).toMatch(/<svg[\s\S]*AWAITING_SHOPPER/)
  })
})
