import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeKitForms } from '../support/write-kit-as-file-and-folder.ts'
import { EXAMPLE_LANGUAGES, isInstalled, runProgram, titleOf } from './example-programs.ts'

const run = promisify(execFile)
const TOKEN = 'sesame'
let simulator: TestSimulator
/** A simulator that signs as RFC 9421 has it, without the label and r and s one after the other, and wants a control token. */
let simulatorOfRfc: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
  simulatorOfRfc = await startTestSimulator({ responseBase: 'rfc', responseEncoding: 'raw', controlToken: TOKEN })
})
afterAll(() => Promise.all([simulator.stop(), simulatorOfRfc.stop()]))

/** The only programs on the PATH of the script: those it names as needed, and those of any Unix. */
const TOOLS = ['bash', 'curl', 'openssl', 'jq', 'cat', 'date', 'od', 'tr', 'wc'] as const

/** A PATH on which the script finds its tools and nothing else. */
const pathOfTools = async (): Promise<string> => {
  const PATH = temporaryFolder()
  for (const tool of TOOLS) symlinkSync((await run('which', [tool])).stdout.trim(), join(PATH, tool))
  expect(readFileSync('examples/first-payment.sh', 'utf8')).not.toContain('/proc/')
  return PATH
}

test('5: the TypeScript example of the README pays with the client', async () => {
  const { stdout } = await run(process.execPath, ['examples/first-payment.ts', simulator.kitFolder])
  expect(stdout).toContain("state: 'SETTLED'")
})

test('the TypeScript example has the control token of its environment, and names its absence', async () => {
  const pay = (ASSAY_CONTROL_TOKEN: string) =>
    run(process.execPath, ['examples/first-payment.ts', simulatorOfRfc.kitFolder], {
      env: { ...process.env, ASSAY_CONTROL_TOKEN },
    })
  expect((await pay(TOKEN)).stdout).toContain("state: 'SETTLED'")
  await expect(pay('')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^Control refused \/blik\/codes: .*ASSAY_CONTROL_TOKEN.*\n$/),
  })
})

test('the TypeScript example calls control where ASSAY_URL says', async () => {
  const { folder } = writeKitForms(temporaryFolder(), {
    ...(await createKit(simulator)),
    pagesBaseUrl: 'http://127.0.0.1:9',
  })
  const pay = (ASSAY_URL: string) =>
    run(process.execPath, ['examples/first-payment.ts', folder], { env: { ...process.env, ASSAY_URL } })
  expect((await pay(`${simulator.pagesUrl}/`)).stdout).toContain("state: 'SETTLED'")
  await expect(pay('')).rejects.toMatchObject({
    stderr: 'Control does not respond at http://127.0.0.1:9: let ASSAY_URL name the pages of the sandbox.\n',
  })
})

/** Creates an organization with an id of its own; returns its kit. */
const createKit = async ({ pagesUrl }: TestSimulator): Promise<Kit> => {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const answer = await fetch(`${pagesUrl}/control/organizations`, { method: 'POST', headers, body: '{}' })
  return (await answer.json()) as Kit
}

const PAID =
  /PENDING: Awaiting user consent[\s\S]*Finalized: APPROVED, Captured\.\nNow it is SETTLED\. The service signed every answer\.\n$/

const SLOW = { timeout: 180_000 }

for (const language of EXAMPLE_LANGUAGES) {
  /** Makes the program ready to run with a kit, as often as a test likes. */
  const prepared = (make = language.compiled ?? language.example) => {
    const program = make(temporaryFolder)
    return (kit: string, environment = {}) => runProgram(program, [kit], { ASSAY_CONTROL_TOKEN: TOKEN, ...environment })
  }

  test.skipIf(!isInstalled(language))(
    `5: pays by either form of a kit, without any code of this project: ${titleOf(language)}`,
    SLOW,
    async () => {
      const { file } = writeKitForms(temporaryFolder(), await createKit(simulator))
      const { folder } = writeKitForms(temporaryFolder(), await createKit(simulatorOfRfc))
      const environment = language.language === 'shell' ? { PATH: await pathOfTools() } : {}
      for (const run of [prepared(language.example)(file, environment), prepared()(folder)])
        expect(await run).toEqual({ code: 0, stdout: expect.stringMatching(PAID), stderr: '' })
    },
  )

  test.skipIf(!isInstalled(language))(
    `5.4: takes no answer that the service did not sign: ${titleOf(language)}`,
    SLOW,
    async () => {
      const run = prepared()
      const { file } = writeKitForms(temporaryFolder(), await createKit(simulator))
      const { organizationId } = JSON.parse(readFileSync(file, 'utf8')) as Kit
      for (const kind of ['missigned', 'tampered']) {
        const body = JSON.stringify({ operation: 'initiate', kind })
        await fetch(`${simulator.pagesUrl}/control/organizations/${organizationId}/faults`, { method: 'POST', body })
        const { code, stdout, stderr } = await run(file)
        const sentence = 'The answer to POST /payments/initiate is not signed by the service.'
        expect({ kind, code, stderr }).toEqual({ kind, code: 1, stderr: expect.stringContaining(sentence) })
        expect(stdout).not.toContain('Payment')
      }
    },
  )

  test.skipIf(!isInstalled(language))(`names a missing control token: ${titleOf(language)}`, SLOW, async () => {
    const { file } = writeKitForms(temporaryFolder(), await createKit(simulatorOfRfc))
    const { code, stderr } = await prepared()(file, { ASSAY_CONTROL_TOKEN: '' })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/^Control refused \/blik\/codes: .*Authorization: Bearer .*\(ASSAY_CONTROL_TOKEN\)/)
  })

  test.skipIf(!isInstalled(language))(
    `calls control where ASSAY_URL says, as the kit may name the address for browsers: ${titleOf(language)}`,
    SLOW,
    async () => {
      const run = prepared()
      const kit = { ...(await createKit(simulator)), pagesBaseUrl: 'http://127.0.0.1:9' }
      const { file } = writeKitForms(temporaryFolder(), kit)
      const paid = await run(file, { ASSAY_URL: `${simulator.pagesUrl}/` })
      expect(paid).toEqual({ code: 0, stdout: expect.stringMatching(PAID), stderr: '' })
      const { code, stderr } = await run(file, { ASSAY_URL: '' })
      expect(code).not.toBe(0)
      expect(stderr).toMatch(
        /(^|\n)Control does not respond at http:\/\/127\.0\.0\.1:9: let ASSAY_URL name the pages of the sandbox\.\n$/,
      )
      expect(stderr).not.toContain('Control refused')
    },
  )

  test.skipIf(!isInstalled(language))(`names a path that is no kit: ${titleOf(language)}`, SLOW, async () => {
    const path = join(temporaryFolder(), 'nowhere')
    const { code, stdout, stderr } = await prepared()(path)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^(.+\\n)?(\\S+ \\S+ )?${path} is no kit: .*\\.\\n$`))
  })

  test.skipIf(!isInstalled(language))(`fails without showing a key: ${titleOf(language)}`, SLOW, async () => {
    const run = prepared()
    const [kit, stranger] = [await createKit(simulator), await createKit(simulator)]
    for (const [fault, text, sentence] of faultyKits(kit, stranger)) {
      const file = join(temporaryFolder(), 'kit.json')
      writeFileSync(file, text)
      const { code, stdout, stderr } = await run(file)
      expect({ fault, code }).not.toEqual({ fault, code: 0 })
      expect({ fault, stderr }).toEqual({ fault, stderr: expect.stringMatching(sentence) })
      expect({ fault, shown: piecesOf([kit, stranger]).filter(piece => (stdout + stderr).includes(piece)) }).toEqual({
        fault,
        shown: [],
      })
    }
  })
}

/** Kits with which no payment is made, each as JSON, with what the program says of it. */
const faultyKits = (kit: Kit, stranger: Kit): readonly (readonly [fault: string, json: string, sentence: RegExp])[] => {
  const [first, ...others] = kit.signingKeys
  if (!first) throw new Error('The kit has no signing key.')
  const signingWith = (privateKey: string) => json({ signingKeys: [{ ...first, privateKey }, ...others] })
  const json = (changes: Partial<Kit>) => JSON.stringify({ ...kit, ...changes }, null, 2)
  const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\n/g, '')
  const whole = json({})
  return [
    [
      'signing key of another',
      signingWith(stranger.signingKeys[0]?.privateKey ?? ''),
      /^Refused: The signature does not verify/,
    ],
    ['signing key of another curve', signingWith(others[0]?.privateKey ?? ''), /^Refused: /],
    ['signing key cut off', signingWith(first.privateKey.slice(0, 120)), /./],
    ['signing key without its lines', signingWith(bare(first.privateKey)), /./],
    ['client key of another', json({ privateKey: stranger.privateKey }), /./],
    ['client key cut off', json({ privateKey: kit.privateKey.slice(0, 120) }), /./],
    ['client key without its lines', json({ privateKey: bare(kit.privateKey) }), /./],
    ['client certificate of another', json({ certificate: stranger.certificate }), /./],
    ['file cut off in a key', whole.slice(0, whole.indexOf('PRIVATE KEY') + 150), /./],
    [
      'no sandbox at the address',
      json({ apiBaseUrl: 'https://127.0.0.1:9', jwksUrl: 'https://127.0.0.1:9/jwks' }),
      /./,
    ],
  ]
}

/** Pieces of the private keys of kits, by which a shown key is known wherever its lines are broken. */
const piecesOf = (kits: readonly Kit[]): string[] =>
  kits
    .flatMap(kit => [kit.privateKey, ...kit.signingKeys.map(key => key.privateKey)])
    .flatMap(pem => pem.replaceAll(/-----[^-]+-----|\n/g, '').match(/.{20}/g) ?? [])
    .filter(piece => !/^M[IE]/.test(piece)) // the first bytes of every key are the same
