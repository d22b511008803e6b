import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { main } from '../../contracts/dialect-commands/command.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROGRAM = join(import.meta.dirname, 'clients/pay.pl')
const PROFILE = join(import.meta.dirname, '../conformance/dialects/snake-case.yaml')

/** Perl's client generator, what it needs for TLS, and what signs: Debian's libopenapi-client-, libio-socket-ssl- and libcryptx-perl. */
const MODULES = ['OpenAPI::Client', 'IO::Socket::SSL', 'Crypt::PK::ECC']
const isInstalled = spawnSync('perl', [...MODULES.map(name => `-M${name}`), '-e', '1']).status === 0

/** The schema of OpenAPI 3.1 itself, which JSON::Validator would fetch; its place in a folder of schemas. */
const OPENAPI_SCHEMA = createHash('md5').update('https://spec.openapis.org/oas/3.1/schema/2021-05-20').digest('hex')

test.skipIf(!isInstalled)(
  'a Perl client made from the printed document pays, captures and refunds in a snake-case dialect',
  { timeout: 120_000 },
  async () => {
    const folder = temporaryFolder()
    const openapi = join(folder, 'openapi.yaml')
    expect(await main(['print', PROFILE, '--out', openapi])).toBe(0)
    const schemas = join(folder, 'schemas')
    mkdirSync(schemas)
    writeFileSync(join(schemas, OPENAPI_SCHEMA), '{"$schema":"https://json-schema.org/draft/2020-12/schema"}')
    const simulator = await startTestSimulator({ dialect: PROFILE })
    try {
      const kit = simulator.kitFolder.endsWith('.json') ? dirname(simulator.kitFolder) : simulator.kitFolder
      const control = `${simulator.pagesUrl}/control/organizations/demo-merchant`
      const { stdout } = await promisify(execFile)('perl', [PROGRAM, openapi, kit, simulator.apiUrl, control], {
        env: { ...process.env, JSON_VALIDATOR_CACHE_PATH: schemas },
      })
      expect(stdout).toBe('pending approved approved approved partially_refunded\n')
    } finally {
      await simulator.stop()
    }
  },
)
