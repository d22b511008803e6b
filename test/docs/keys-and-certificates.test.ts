import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { controlOf } from '../support/identities.ts'
import { runningSimulator } from '../support/running.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/keys-and-certificates.md'), 'utf8')
const run = promisify(execFile)

test('5.1, 5.2: every command of the page works as it stands, one after the other in one shell', async () => {
  const simulator = await runningSimulator()
  const folder = temporaryFolder()
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  symlinkSync(simulator.dataDir, join(folder, '.assay'))
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(5)
  const script = blocks.join('').replaceAll('http://localhost:8080', simulator.pagesUrl)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })
  expect(stdout.match(/Now it is SETTLED\./g)).toHaveLength(4)
  expect(stdout).toMatch(/The new key is demo-merchant-[0-9a-f]{16}\./)
  expect(stdout).toContain(`${simulator.kit.signingKeys[0]?.keyId} is deregistered.`)
  expect(stdout).toContain('my-kit/certificate.pem: OK')
  expect(stdout).toContain('CN=demo-merchant, O=demo-merchant is revoked.')
  const states = async (path: string, member: string) =>
    (await controlOf(simulator).get(path)).body[member].map(({ state }: { state: string }) => state)
  expect(await states('signing-keys', 'signingKeys')).toEqual(['deregistered', 'active', 'active', 'active'])
  expect(await states('certificates', 'certificates')).toEqual(['valid', 'revoked', 'valid'])
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
