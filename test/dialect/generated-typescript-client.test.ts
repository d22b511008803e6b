import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { main } from '../../contracts/dialect-commands/command.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')

const DIALECTS = [
  ['our-own', 'contracts/profiles/simulator.yaml', 'PENDING APPROVED APPROVED APPROVED PARTIALLY_REFUNDED'],
  ['snake-case', 'test/conformance/dialects/snake-case.yaml', 'pending approved approved approved partially_refunded'],
] as const

/** A `fetch` that presents the certificate, adds a token and signs: what no generator makes. */
const signingFetch = (merchant: Merchant) => async (request: Request) => {
  const body = Buffer.from(await request.arrayBuffer())
  const key = request.headers.get('idempotency-key')
  const { pathname, search } = new URL(request.url)
  const { response } = await merchant.send({
    method: request.method === 'GET' ? 'GET' : 'POST',
    path: `${pathname}${search}`,
    token: await merchant.tokenFor(),
    headers: { ...(key && { 'idempotency-key': key }), ...(body.length > 0 && { 'content-type': 'application/json' }) },
    ...(body.length > 0 && { body }),
  })
  return new Response(response?.body.toString(), { status: response?.status ?? 599 })
}

/** Lays a program beside the types of the printed document of a dialect; returns its file. */
const generateClient = async (program: string, profile: string): Promise<string> => {
  const folder = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const printed = join(folder, 'openapi.yaml')
  expect(await main(['print', profile, '--out', printed])).toBe(0)
  writeFileSync(join(folder, 'printed.ts'), astToString(await openapiTS(parse(readFileSync(printed, 'utf8')))))
  const file = join(folder, 'pay.ts')
  copyFileSync(join(ROOT, `test/dialect/clients/pay-in-${program}.ts`), file)
  return file
}

/** The compiler's errors in a program, strictly. */
const typeErrors = (file: string): string[] => {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, types: [] }, ROOT)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test.each(DIALECTS)(
  'a TypeScript client from the printed document pays, captures and refunds in %s',
  { timeout: 120_000 },
  async (name, profile, words) => {
    const program = await generateClient(name, join(ROOT, profile))
    expect(typeErrors(program)).toEqual([])
    const simulator = await startTestSimulator({ dialect: join(ROOT, profile) })
    const now = () => simulator.controlPlane.now('demo-merchant')
    const merchant = createMerchant(simulator.credentials, { now })
    const control = organizationControl(simulator)
    try {
      const { pay } = await import(program)
      const met: string[] = await pay({
        baseUrl: simulator.apiUrl,
        fetch: signingFetch(merchant),
        account: simulator.credentials.processingAccountIds[0],
        code: (await control.post('blik/codes')).body.code,
        approve: (id: string) => control.post(`payments/${id}/shopper`, { action: 'approve' }),
        settle: () => control.advance('P1D'),
      })
      expect(met).toEqual([...words.split(' '), '4999 1000', '5002'])
    } finally {
      await merchant.close()
      await simulator.stop()
    }
  },
)
