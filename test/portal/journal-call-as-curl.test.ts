import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { curlAsSent, curlSignedAnew } from '../../hosted-pages/portal/journal/repeat-call-by-curl.ts'
import { firstAccountOf, initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const run = promisify(execFile)

test('5.2: a call from the journal, signed anew by the copied lines, passes every layer', async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const transactionId = await initiateIris(merchant)
  await merchant.status(transactionId)
  const { controlPlane: operator, kitFolder, kit } = simulator
  const [status, initiate] = operator.journal.latest('demo-merchant', 2)
  if (!status || !initiate) throw new Error('The journal is empty.')
  const again = async (call: typeof status) => {
    const script = curlSignedAnew(call, kit.organizationId)
    const { stdout } = await run('bash', ['-c', script], { env: { ...process.env, ASSAY_KIT: kitFolder } })
    return JSON.parse(stdout) as { status: string; transactionId: string }
  }
  expect(await again(status)).toMatchObject({ status: 'PENDING', transactionId })
  expect(await again(initiate)).toMatchObject({ status: 'PENDING', transactionId })
  const [replayed] = operator.journal.latest('demo-merchant', 1)
  expect(replayed).toMatchObject({ operation: 'initiate', replayed: true, answer: { status: 200 } })
}, 60_000)

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
