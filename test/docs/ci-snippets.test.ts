import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPTIONS, toEnvironmentName } from '../../simulator/options/options.ts'
import { readConfig } from '../../simulator/options/read-config.ts'
import { readSource } from '../architecture/read-source-files.ts'
import { findFreePort } from '../support/free-port.ts'
import { askForKit, keySetStatus } from '../support/kits-under-host-names.ts'
import { irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const parsed = (file: string) => parse(readSource(`docs/ci/${file}`), { strict: true, uniqueKeys: true })
const PORTS = ['8443:8443', '8080:8080']

/** What the fixtures read, beside the options of `assay serve`. */
const FIXTURE_VARIABLES = ['ASSAY_URL', 'ASSAY_CONTROL_TOKEN', 'ASSAY_IMAGE']
const KNOWN = [...Object.keys(OPTIONS).map(toEnvironmentName), ...FIXTURE_VARIABLES]

test.each(['compose.yaml', 'github-actions.yml', 'gitlab-ci.yml'])('%s sets only variables that are read', file => {
  const named = Array.from(readSource(`docs/ci/${file}`).matchAll(/ASSAY_[A-Z_]+/g), ([name]) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(name => !KNOWN.includes(name))).toEqual([])
})

test('the image listens on the ports of the snippets and has the health check they wait for', () => {
  const dockerfile = readSource('Dockerfile')
  expect(dockerfile).toMatch(/^EXPOSE 8080 8443$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD node dist\/bin\/assay\.js health /m)
  expect([OPTIONS['pages-port'].initial, OPTIONS['api-port'].initial]).toEqual(['8080', '8443'])
})

test('compose: the shop waits until the sandbox is healthy', () => {
  const { sandbox, shop } = parsed('compose.yaml').services
  expect(sandbox).toMatchObject({ image: `$\{ASSAY_IMAGE:-assay}`, read_only: true, ports: PORTS })
  expect(sandbox.tmpfs).toEqual(['/data:mode=1777'])
  expect(shop.environment.ASSAY_URL).toBe('http://sandbox:8080')
  expect(shop.depends_on).toEqual({ sandbox: { condition: 'service_healthy' } })
})

test('compose: the shop reaches the API by the name of its service, a shopper outside the page of a bank', async () => {
  const { sandbox, shop } = parsed('compose.yaml').services
  const service = new URL(shop.environment.ASSAY_URL).hostname
  const { pagesUrl, tlsNames } = readConfig([], sandbox.environment)
  const pagesPort = await findFreePort()
  const simulator = await startScopedSimulator({ pagesUrl, tlsNames, pagesPort })
  const kit = (await askForKit(service, pagesPort)).body
  expect(new URL(kit.apiBaseUrl).hostname).toBe(service)
  expect(await keySetStatus(kit)).toBe(200)
  const begun = await merchantOf(simulator).initiate(irisRequestOf(merchantOf(simulator)))
  const { redirectUrl = '' } = begun.ok ? (begun.body.providerDetails as { redirectUrl?: string }) : {}
  expect(new URL(redirectUrl).origin).toBe('http://localhost:8080')
})

test('GitHub Actions: a service of the job, then the tests, and the report of a failure', () => {
  const { pay } = parsed('github-actions.yml').jobs
  expect(pay.services.sandbox).toMatchObject({ image: expect.stringMatching(/\/assay$/), ports: PORTS })
  expect(pay.env).toEqual({ ASSAY_URL: 'http://localhost:8080' })
  const steps = pay.steps as { run?: string; uses?: string; if?: string; with?: Record<string, unknown> }[]
  const runs = steps.flatMap(({ run }) => run ?? [])
  expect(runs).toEqual(['npm ci', 'npx playwright install --with-deps chromium', 'npx playwright test'])
  expect(steps.find(({ uses }) => uses?.startsWith('actions/setup-node'))?.with).toEqual({ 'node-version': 24 })
  expect(steps.at(-1)).toMatchObject({ if: 'failure()', with: { path: 'playwright-report' } })
})

describe('GitLab', () => {
  test('a service by its alias; the job waits for the port of the pages', () => {
    const { pay } = parsed('gitlab-ci.yml')
    const [sandbox] = pay.services
    expect(sandbox).toMatchObject({ name: expect.stringMatching(/\/assay$/), alias: 'sandbox' })
    expect(pay.variables.ASSAY_URL).toContain(`//${sandbox.alias}:`)
    expect(pay.variables).toEqual({ ASSAY_URL: 'http://sandbox:8080', HEALTHCHECK_TCP_PORT: '8080' })
    expect(pay.script).toContain('npx playwright test')
  })

  test('its Playwright version is the tested one', () => {
    const { version } = JSON.parse(readSource('node_modules/playwright/package.json'))
    expect(parsed('gitlab-ci.yml').pay.image).toBe(`mcr.microsoft.com/playwright:v${version}-noble`)
  })
})

test('the workflow of this repository runs .ci/run with a time limit', () => {
  const { test: job } = parse(readSource('.github/workflows/ci.yml'), { strict: true, uniqueKeys: true }).jobs
  expect(job).toMatchObject({ 'runs-on': 'ubuntu-latest', 'timeout-minutes': expect.any(Number) })
  expect(job.steps.at(-1)).toEqual({ run: 'bash .ci/run' })
})

test('the CI page links to every snippet, and its Testcontainers example waits for the image’s health endpoint', () => {
  const page = readSource('docs/containers.md')
  for (const file of ['compose.yaml', 'github-actions.yml', 'gitlab-ci.yml']) expect(page).toContain(`(ci/${file})`)
  expect(page).toContain("Wait.forHttp('/health', 8080)")
})
