import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { curlAsSent, curlSignedAnew } from '../../hosted-pages/portal/journal/repeat-call-by-curl.ts'
import { nodeSignedAnew, pythonSignedAnew } from '../../hosted-pages/portal/journal/repeat-call-by-script.ts'
import { linesOf } from '../dialect/lines-of-test-dialects.ts'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  firstAccountOf,
  initiateIris,
  merchantOf,
  merchantWith,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'
import { writeKitForms } from '../support/write-kit-as-file-and-folder.ts'

const run = promisify(execFile)

/** Runs a copied script; `kit` is what the reader set ASSAY_KIT to. */
const paste = (script: string, kit?: string, cwd = temporaryFolder()) =>
  run('bash', ['-c', script], { cwd, env: { ...process.env, ASSAY_KIT: kit } })

/** Initiates a payment for an organization and asks for its status; returns the two calls as the journal has them. */
const callsOf = async (simulator: ScopedSimulator, { merchant, organizationId }: MadeOrganization) => {
  const transactionId = await initiateIris(merchant)
  await merchant.status(transactionId)
  const [status, initiate] = simulator.controlPlane.journal.latest(organizationId, 2)
  if (!status || !initiate) throw new Error('The journal is empty.')
  return { transactionId, status, initiate }
}
type MadeOrganization = Pick<Awaited<ReturnType<typeof createMerchantOrganization>>, 'merchant' | 'organizationId'>

test('5.2: a call from the journal, signed anew by the copied lines, passes every layer', async () => {
  const simulator = await startScopedSimulator()
  const { controlPlane: operator, kitFolder } = simulator
  const organizationId = 'demo-merchant'
  const { transactionId, status, initiate } = await callsOf(simulator, {
    merchant: merchantOf(simulator),
    organizationId,
  })
  for (const call of [status, initiate]) {
    const { stdout } = await paste(curlSignedAnew(call, organizationId), kitFolder)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'PENDING', transactionId })
  }
  const [replayed] = operator.journal.latest(organizationId, 1)
  expect(replayed).toMatchObject({ operation: 'initiate', replayed: true, response: { status: 200 } })
}, 60_000)

test('the copied lines run for any organization, with its kit as the portal hands it out', async () => {
  const simulator = await startScopedSimulator()
  const made = await createMerchantOrganization(simulator, 'corner-shop')
  const { transactionId, status } = await callsOf(simulator, made)
  const script = curlSignedAnew(status, 'corner-shop')
  const downloads = temporaryFolder()
  const { file, folder } = writeKitForms(downloads, made.kit)
  mkdirSync(join(downloads, '.assay/kit'), { recursive: true })
  symlinkSync(folder, join(downloads, '.assay/kit/corner-shop'))
  for (const kit of ['corner-shop-kit.json', file, folder, undefined]) {
    const { stdout } = await paste(script, kit, downloads)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'PENDING', transactionId })
  }
}, 60_000)

test.each([
  ['Node', nodeSignedAnew, 'call.mjs', process.execPath],
  ['Python', pythonSignedAnew, 'call.py', 'python3'],
] as const)(
  'the copied %s script passes every layer for any organization, in its dialect too',
  async (_, write, name, command) => {
    const simulator = await startScopedSimulator()
    const made = await createMerchantOrganization(simulator, 'corner-shop')
    const ask = controlClient(simulator)
    const { journal } = simulator.controlPlane
    for (const dialect of [undefined, 'snake-case', 'every-line']) {
      if (dialect !== undefined) {
        const { basePath: _, ...lines } = linesOf(dialect)
        expect((await ask('PUT', `${made.here}/dialect`, { profile: stringify(lines) })).status).toBe(200)
      }
      const { body: kit } = await ask('GET', `${made.here}/kit`)
      await initiateIris(merchantWith(credentialsFromKit(kit)))
      const folder = temporaryFolder()
      const { file } = writeKitForms(folder, kit)
      for (const call of journal.latest('corner-shop', 2)) {
        writeFileSync(join(folder, name), write(call, 'corner-shop'))
        await run(command, [join(folder, name)], { env: { ...process.env, ASSAY_KIT: file } })
        const [repeated] = journal.latest('corner-shop', 1)
        expect([repeated?.operation, repeated?.response.status]).toEqual([call.operation, call.response.status])
      }
    }
  },
  120_000,
)

test.each(['snake-case', 'bookkeeping', 'coarse-states', 'every-line'])(
  'C7: the copied lines sign as the dialect of the kit says: %s',
  async name => {
    const simulator = await startScopedSimulator()
    const { here } = await createMerchantOrganization(simulator, 'corner-shop')
    const ask = controlClient(simulator)
    const { basePath: _, ...lines } = linesOf(name) // no line of a profile: the path of its target
    expect((await ask('PUT', `${here}/dialect`, { profile: stringify(lines) })).status).toBe(200)
    const { body: kit } = await ask('GET', `${here}/kit`)
    await initiateIris(merchantWith(credentialsFromKit(kit)))
    const { file } = writeKitForms(temporaryFolder(), kit)
    const { journal } = simulator.controlPlane
    for (const call of journal.latest('corner-shop', 2)) {
      await paste(curlSignedAnew(call, 'corner-shop'), file)
      const [repeated] = journal.latest('corner-shop', 1)
      expect([repeated?.operation, repeated?.response.status]).toEqual([call.operation, call.response.status])
    }
  },
  60_000,
)

test('without a kit the copied lines say how to get it', async () => {
  const simulator = await startScopedSimulator()
  const made = await createMerchantOrganization(simulator, 'corner-shop')
  const { status } = await callsOf(simulator, made)
  const sentence =
    'There is no .assay/kit/corner-shop: run "assay kit corner-shop --out .assay/kit/corner-shop", or set ASSAY_KIT to the kit that the portal gave you.\n'
  const told = await paste(curlSignedAnew(status, 'corner-shop')).catch(error => error)
  expect(told).toMatchObject({ code: 1, stdout: '', stderr: sentence })
})

test('a text with quotes stays one argument of the shell', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const clientTransactionId = `it's "$HOME" \`id\` \\n`
  await merchant.initiate({
    processingAccountId: firstAccountOf(merchant),
    clientTransactionId,
    transactionType: 'ONE_TIME',
    returnUrl: 'https://shop.example/back',
    paymentDetails: { amount: 1, currency: 'EUR', country: 'GR', description: 'x' },
    providerDetails: { providerId: 'IRIS' },
    payerDetails: { payerId: 'shopper-1' },
  })
  const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
  if (!call) throw new Error('The journal is empty.')
  const shown = curlAsSent(call).replace(/^curl /, 'printf "%s\\n" ')
  const { stdout } = await run('bash', ['-c', shown])
  expect(stdout).toContain(call.request.body)
  expect(stdout).toContain('authorization: Bearer ***')
})
