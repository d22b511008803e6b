import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { controlOf } from '../support/identities.ts'
import { runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/keys-and-certificates.md'), 'utf8')
const run = promisify(execFile)

test('5.1, 5.2: every command of the page works as it stands in one shell, twice, and hurts nothing', async () => {
  const simulator = await runningSimulator()
  const folder = temporaryFolder()
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  const control = controlOf(simulator)
  const identities = async () => [await control.get('signing-keys'), await control.get('certificates')]
  const before = await identities()
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const script = blocks.join('').replaceAll('http://localhost:8080', simulator.pagesUrl)
  const env = { ...process.env, TMPDIR: temporaryFolder() }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script + script], { cwd: folder, env })
  expect(stdout.match(/Now it is SETTLED\./g)).toHaveLength(8)
  const [first = '', second = ''] = [...stdout.matchAll(/The new key is (\S+)-[0-9a-f]{16}\./g)].map(match => match[1])
  expect(first).not.toBe(second)
  const states = async (id: string, path: string, member: string) =>
    (await controlOf(simulator, id).get(path)).body[member].map(({ state }: { state: string }) => state)
  for (const id of [first, second]) {
    expect(stdout).toMatch(new RegExp(`^${id}-[0-9a-f]{16} is deregistered\\.$`, 'm'))
    expect(stdout).toContain(`CN=${id}, O=${id} is revoked.`)
    expect(await states(id, 'signing-keys', 'signingKeys')).toEqual(['deregistered', 'active', 'active', 'active'])
    expect(await states(id, 'certificates', 'certificates')).toEqual(['valid', 'revoked', 'valid'])
  }
  expect(stdout.match(/my-kit\/certificate\.pem: OK/g)).toHaveLength(2)
  expect(readdirSync(folder)).toEqual(['examples'])
  expect(await identities()).toEqual(before)
})

test('the clock and the end that the page names do what it says', async () => {
  const simulator = await runningSimulator()
  const control = controlOf(simulator)
  const [advance = '', further = ''] = [...page.matchAll(/"advance": "(P\d+D)"|another `(P\d+D)`/g)].flatMap(match =>
    match.slice(1).filter(Boolean),
  )
  await control.advance(advance)
  const [key] = (await control.get('signing-keys')).body.signingKeys
  expect([key.state, typeof key.warning]).toEqual(['expiring', 'string'])
  await control.advance(further)
  expect((await control.get('signing-keys')).body.signingKeys[0].state).toBe('expired')
})

test('the README leads to the page, and the page to files that exist', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('docs/keys-and-certificates.md')
  for (const [script = ''] of page.matchAll(/examples\/[\w.-]+/g)) expect(existsSync(join(root, script))).toBe(true)
})
