import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { organizationControl } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/keys-and-certificates.md'), 'utf8')
const run = promisify(execFile)

test('5.1, 5.2: the commands of the page work in one shell, and work again when repeated', async () => {
  const simulator = await startScopedSimulator()
  const folder = temporaryFolder()
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  const control = organizationControl(simulator)
  const identities = async () => [await control.get('signing-keys'), await control.get('certificates')]
  const before = await identities()
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const script = blocks.join('').replaceAll('http://localhost:8080', simulator.pagesUrl)
  // Repeated, it pays once: at its end, with all that it has exchanged.
  const payment = '"$project/examples/first-payment.sh" my-kit\n'
  const payments = script.split(payment)
  const again = payments.slice(0, -1).join('') + payment + payments.at(-1)
  const env = { ...process.env, TMPDIR: temporaryFolder() }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script + again], { cwd: folder, env })
  expect(stdout.match(/Now it is SETTLED\./g)).toHaveLength(5)
  const [first = '', second = ''] = [...stdout.matchAll(/The new key is (\S+)-[0-9a-f]{16}\./g)].map(match => match[1])
  expect(first).not.toBe(second)
  const states = async (id: string, path: string, member: string) =>
    (await organizationControl(simulator, id).get(path)).body[member].map(({ state }: { state: string }) => state)
  for (const id of [first, second]) {
    expect(stdout).toMatch(new RegExp(`^${id}-[0-9a-f]{16} is deregistered\\.$`, 'm'))
    expect(stdout).toContain(`CN=${id}, O=${id} is revoked.`)
    expect(await states(id, 'signing-keys', 'signingKeys')).toEqual(['deregistered', 'active', 'active', 'active'])
    expect(await states(id, 'certificates', 'certificates')).toEqual(['valid', 'revoked', 'valid'])
  }
  expect(stdout.match(/my-kit\/certificate\.pem: OK/g)).toHaveLength(2)
  expect(readdirSync(folder)).toEqual(['examples'])
  expect(await identities()).toEqual(before)
}, 300_000) // hundreds of processes: a minute on a busy machine

test('the clock and expiry commands of the page have the described effect', async () => {
  const simulator = await startScopedSimulator()
  const control = organizationControl(simulator)
  const [advance = '', further = ''] = [...page.matchAll(/"advance": "(P\d+D)"|another `(P\d+D)`/g)].flatMap(match =>
    match.slice(1).filter(Boolean),
  )
  await control.advance(advance)
  const [key] = (await control.get('signing-keys')).body.signingKeys
  expect([key.state, typeof key.warning]).toEqual(['expiring', 'string'])
  await control.advance(further)
  expect((await control.get('signing-keys')).body.signingKeys[0].state).toBe('expired')
})

test('the README links to the page, and the page to existing files', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('docs/keys-and-certificates.md')
  for (const [script = ''] of page.matchAll(/examples\/[\w.-]+/g)) expect(existsSync(join(root, script))).toBe(true)
})
