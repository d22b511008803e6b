import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kitFiles } from '../../contracts/client/kit-files.ts'
import { createMerchantOrganization } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))

/** Programs that unpack an archive, independent of ours: those that are on this machine are tried. */
// biome-ignore format: a table reads by its columns
const UNPACKERS = [
  ['unzip',   ['-q'],                'keeps permissions'],
  ['python3', ['-m', 'zipfile', '-e'], 'loses permissions'],
  ['jar',     ['xf'],                'loses permissions'],
] as const

const works = (command: string) => spawnSync(command, ['--help']).error === undefined

/** The archive of a new organization's kit as control hands it out, in a file, and the kit with PEM texts. */
const downloaded = async (organizationId: string) => {
  const simulator = await startScopedSimulator()
  const { kit } = await createMerchantOrganization(simulator, organizationId)
  const answer = await fetch(`${simulator.pagesUrl}/control/organizations/${organizationId}/kit.zip`)
  const archive = join(temporaryFolder(), 'kit.zip')
  writeFileSync(archive, Buffer.from(await answer.arrayBuffer()))
  return { simulator, kit, answer, archive }
}

for (const [command, argv, permissions] of UNPACKERS)
  test.skipIf(!works(command))(`${command} unpacks the archive of a kit to its folder`, async () => {
    const { kit, archive, answer } = await downloaded('corner-shop')
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="corner-shop-kit.zip"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const folder = temporaryFolder()
    expect(
      spawnSync(command, [...argv, archive, ...(command === 'python3' ? ['.'] : [])], { cwd: folder }).status,
    ).toBe(0)
    expect(readdirSync(folder)).toEqual(['corner-shop'])
    const expected = Object.fromEntries(kitFiles(kit).map(({ name, text }) => [name, text]))
    expect(filesIn(join(folder, 'corner-shop'))).toEqual(expected)
    if (permissions === 'keeps permissions')
      for (const { name, isPrivate } of kitFiles(kit))
        expect(statSync(join(folder, 'corner-shop', name)).mode & 0o777).toBe(isPrivate ? 0o600 : 0o644)
  })

test('the archive of an unchanged kit is the same bytes, and there is none of an unknown organization', async () => {
  const { simulator, archive } = await downloaded('corner-shop')
  const of = (id: string) => fetch(`${simulator.pagesUrl}/control/organizations/${id}/kit.zip`)
  expect(Buffer.from(await (await of('corner-shop')).arrayBuffer())).toEqual(readFileSync(archive))
  const none = await of('nobody')
  expect([none.status, await none.json()]).toEqual([404, { error: expect.stringContaining('no organization nobody') }])
})
