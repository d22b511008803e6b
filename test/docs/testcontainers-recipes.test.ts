import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { connectContainer } from '../../fixtures/connect-started-container.ts'
import { ROOT, readSource } from '../architecture/read-source-files.ts'
import { openTcpProxy } from '../outages/tcp-proxy.ts'
import { builtPackage } from '../support/built-package.ts'
import { askForKit } from '../support/kits-under-host-names.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

// There is no container runtime in the tests: what stands in for Testcontainers maps port 8080 of a sandbox in this process.

const run = promisify(execFile)
const page = readSource('docs/containers.md')

/** A code block of the page, by the name in its first line. */
const block = (name: string): string => {
  const [, text] = new RegExp(`^\`\`\`\\w+\\n((?://|#) ${name}.*?)^\`\`\`$`, 'ms').exec(page) ?? []
  if (text === undefined) throw new Error(`docs/containers.md has no ${name}.`)
  return text
}

/** Starts a sandbox and maps the port of its pages, and no other; returns the number on this machine. */
const mappedPort = async (): Promise<number> => {
  const { pagesUrl } = await startScopedSimulator()
  const proxy = await openTcpProxy(Number(new URL(pagesUrl).port))
  onTestFinished(proxy.close)
  return proxy.port
}

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const works = (command: string, probe: readonly string[]): boolean => spawnSync(command, [...probe]).status === 0

test('connectContainer names the port that is mapped, whatever its number', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const port = Number(new URL(pagesUrl).port) // not the one of the API
  const { kit, merchant } = await connectContainer({ getHost: () => 'localhost', getMappedPort: () => port }).create()
  expect(kit.apiBaseUrl).toBe(`https://localhost:${port}`)
  const client = merchant()
  expect((await client.search({})).status).toBe(200)
  client.close()
})

test('connectContainer pays through the one mapped port, and makes kits for another network', async () => {
  const port = await mappedPort()
  const container = { getHost: () => 'localhost', getMappedPort: (inside: number) => (inside === 8080 ? port : 0) }
  const outside = await connectContainer(container).create('shop')
  const merchant = outside.merchant()
  expect((await merchant.search({})).status).toBe(200)
  merchant.close()
  const inside = await connectContainer(container, { apiUrl: 'https://assay:8443' }).organization('shop')
  expect(inside.kit).toEqual({ ...outside.kit, apiBaseUrl: 'https://assay:8443', jwksUrl: inside.kit.jwksUrl })
  expect((await askForKit('[::1]', port)).body.apiBaseUrl).toBe(`https://[::1]:${port}`)
  expect(connectContainer({ ...container, getHost: () => '::1' }).url).toBe(`http://[::1]:${port}`)
})

test('the Node recipe passes with the package', { timeout: 120_000 }, async () => {
  const project = folderWith({
    'package.json': '{"type": "module"}',
    'sandbox.test.ts': block('sandbox.test.ts'),
    'node_modules/testcontainers/package.json': '{"name": "testcontainers", "type": "module", "main": "index.js"}',
    'node_modules/testcontainers/index.js': `
      export const Wait = { forHttp: (path, port) => ({ path, port }) }
      export class GenericContainer {
        withExposedPorts(...ports) { this.ports = ports; return this }
        withWaitStrategy() { return this }
        async start() {
          const map = inside => { if (!this.ports.includes(inside)) throw new Error('not exposed: ' + inside); return ${await mappedPort()} }
          return { getHost: () => 'localhost', getMappedPort: map, stop: async () => {} }
        }
      }`,
  })
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@assay-sandbox'))
  symlinkSync(await builtPackage(), join(modules, '@assay-sandbox/assay'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  const argv = [join(modules, 'vitest/vitest.mjs'), 'run', '--root', project]
  const { stdout } = await run(process.execPath, argv, { cwd: project, env: { ...process.env, NO_COLOR: '1' } })
  expect(stdout).toMatch(/Tests +1 passed/)
})

test.skipIf(!works('python3', ['-c', 'import cryptography']))(
  'the Python recipe pays',
  { timeout: 60_000 },
  async () => {
    const project = folderWith({
      'test_sandbox.py': block('test_sandbox.py'),
      'testcontainers/core/container.py': `
class DockerContainer:
    def __init__(self, image): pass
    def with_exposed_ports(self, *ports): self.ports = ports; return self
    def __enter__(self): return self
    def __exit__(self, *problem): pass
    def get_container_host_ip(self): return "localhost"
    def get_exposed_port(self, port): return [${await mappedPort()}][self.ports.index(port)]
`,
    })
    copyFileSync(join(ROOT, 'examples/first_payment.py'), join(project, 'first_payment.py'))
    const program = 'import pathlib, test_sandbox; test_sandbox.test_pays(pathlib.Path("."))'
    await run('python3', ['-c', program], { cwd: project })
  },
)

test.skipIf(!works('javac', ['-version']))('the Java recipe pays', { timeout: 60_000 }, async () => {
  const project = folderWith({
    'PayInContainer.java': block('PayInContainer.java'),
    'org/testcontainers/containers/wait/strategy/Wait.java': `package org.testcontainers.containers.wait.strategy;
public class Wait { public Wait forPort(int port) { return this; } public static Wait forHttp(String path) { return new Wait(); } }`,
    'org/testcontainers/containers/GenericContainer.java': `package org.testcontainers.containers;
import org.testcontainers.containers.wait.strategy.Wait;
public class GenericContainer<Self extends GenericContainer<Self>> implements AutoCloseable {
  public GenericContainer(String image) {}
  @SuppressWarnings("unchecked") Self self() { return (Self) this; }
  public Self withExposedPorts(Integer... ports) { return self(); }
  public Self waitingFor(Wait wait) { return self(); }
  public void start() {}
  public String getHost() { return "localhost"; }
  public Integer getMappedPort(int port) { return ${await mappedPort()}; }
  public void close() {}
}`,
  })
  copyFileSync(join(ROOT, 'examples/FirstPayment.java'), join(project, 'FirstPayment.java'))
  await run('javac', ['-J-XX:TieredStopAtLevel=1', 'PayInContainer.java'], { cwd: project })
  const { stdout } = await run('java', ['-XX:TieredStopAtLevel=1', 'PayInContainer'], { cwd: project })
  expect(stdout).toContain('Now it is SETTLED')
})
