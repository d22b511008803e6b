import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, SECURITY_LAYERS } from '../../simulator/options/options.ts'
import { expectRefusal, expectServed, signatureErrorOf, statusAndCode } from '../support/api-response-checks.ts'
import { type RawRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { exchangeRaw } from '../support/raw-http.ts'
import { identityOf, irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { createUntrustedCertificate } from '../support/untrusted-certificate.ts'

const open = async (config: Partial<Config>): Promise<RawSandbox> => {
  const sandbox = await openRawSandbox({ config })
  onTestFinished(async () => {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  })
  return sandbox
}

const plainPortOf = ({ simulator }: RawSandbox): number => Number(new URL(simulator.plainUrl ?? '').port)

/** Sends a request to the plain listener, which has no TLS. */
const sendPlain = async (sandbox: RawSandbox, message: RawRequest | Buffer) => {
  const [answer] = (await exchangeRaw(plainPortOf(sandbox), message, { plain: true })).answers
  if (!answer) throw new Error('There is no answer.')
  return answer
}

const without = (message: RawRequest, ...names: string[]): RawRequest =>
  names.reduce((rest, name) => withHeader(rest, name), message)

/** For each layer, removes from a valid request what the layer checks. */
const BREAK = {
  certificate: (message: RawRequest) => message,
  signature: (message: RawRequest) => without(message, 'Signature', 'Signature-Input', 'Content-Digest'),
  token: (message: RawRequest) => without(message, 'Authorization'),
} as const
const REFUSED = { certificate: '400/4980', signature: '401/4990', token: '401/4970' } as const

const header = (off: readonly string[]) => (off.length === 0 ? undefined : off.map(name => `${name}=off`).join(', '))

describe('5, D-70: each layer can be switched off by name', () => {
  const [c, g, t] = SECURITY_LAYERS
  const subsets: Config['layers'][] = [[], [c], [g], [t], [c, g], [c, t], [g, t], [c, g, t]]

  test.each(subsets.map(layers => ({ layers })))('with $layers on, exactly those refuse', async ({ layers }) => {
    const sandbox = await open({ layers })
    const off = SECURITY_LAYERS.filter(guard => !layers.includes(guard))
    for (const guard of SECURITY_LAYERS) {
      const message = BREAK[guard](await sandbox.sign({ body: irisInitiateBody() }))
      const identity = guard === 'certificate' ? null : identityOf(sandbox.demo.kit)
      const answer = await sandbox.send(message, { identity })
      expect([guard, statusAndCode(answer)]).toEqual([guard, layers.includes(guard) ? REFUSED[guard] : '200/-1'])
      expect(answer.header('assay-layers')).toBe(header(off))
    }
    expect(sandbox.simulator.layersOff).toEqual(off)
  })

  test('every response lists the disabled layers: the key set, errors, malformed requests', async () => {
    const sandbox = await open({ layers: ['certificate'], plainPort: 0 })
    for (const target of ['/.well-known/jwks.json', '/nowhere', `/${'x'.repeat(20_000)}`]) {
      const message = await sandbox.sign({ target })
      expect((await sandbox.send(message)).header('assay-layers')).toBe('signature=off, token=off')
      expect((await sendPlain(sandbox, message)).header('assay-layers')).toBe(
        'certificate=off, signature=off, token=off',
      )
    }
    const bad = Buffer.from('GET /x HTTP/1.1\r\nHost: a b\r\n\r\n')
    expect((await sendPlain(sandbox, bad)).header('assay-layers')).toBe('certificate=off, signature=off, token=off')
  })

  test('all layers are on by default, and responses list none', async () => {
    const sandbox = await open({})
    expect((await sandbox.send(await sandbox.sign({ target: '/nowhere' }))).header('assay-layers')).toBeUndefined()
    expect([sandbox.simulator.layersOff, sandbox.simulator.plainUrl]).toEqual([[], undefined])
  })
})

describe('5.1, D-70: calls with a disabled layer', () => {
  test('5.1: without a known certificate the caller is the demo organization', async () => {
    const sandbox = await open({ layers: [] })
    const body = irisInitiateBody()
    const { transactionId } = await expectServed(
      await sandbox.send(await sandbox.sign({ body }), { identity: null }),
      sandbox.keySet,
    )
    const target = `/payments/${transactionId}/status`
    const read = async (identity: Parameters<RawSandbox['send']>[1]) =>
      statusAndCode(await sandbox.send(await sandbox.sign({ target }), identity))
    expect(await read({ identity: null })).toBe('200/-1')
    expect(await read({ identity: await createUntrustedCertificate('CN=somebody') })).toBe('200/-1')
    expect(await read({ identity: identityOf(sandbox.demo.kit) })).toBe('200/-1')
    expect(await read({ identity: identityOf(sandbox.other.kit) })).toBe('404/4001')
  })

  test('5.3: without tokens every scope is granted, and a sent token is ignored', async () => {
    const sandbox = await open({ layers: ['certificate', 'signature'] })
    for (const token of [null, 'nonsense'])
      await expectServed(await sandbox.send(await sandbox.sign({ body: irisInitiateBody(), token })), sandbox.keySet)
  })

  test('5.2: a sent signature is not checked', async () => {
    const sandbox = await open({ layers: ['certificate', 'token'] })
    const message = withHeader(await sandbox.sign({ body: irisInitiateBody() }), 'Signature', 'service_sig=:AAAA:')
    await expectServed(await sandbox.send(message), sandbox.keySet)
  })
})

describe('D-70: the plain listener', () => {
  test('serves a plain curl request with a body and a key, and replays it', async () => {
    const sandbox = await open({ layers: [], plainPort: 0 })
    const payment = (more = '') => {
      const body = JSON.stringify(irisInitiateBody({ clientTransactionId: 'plain' }))
      const lines = ['POST /payments/initiate HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
      return Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`)
    }
    expect(statusAndCode(await sendPlain(sandbox, payment()))).toBe('400/4000')
    const first = await sendPlain(sandbox, payment('Idempotency-Key: k-1\r\n'))
    expect(statusAndCode(first)).toBe('200/-1')
    const again = await sendPlain(sandbox, payment('Idempotency-Key: k-1\r\n'))
    expect([again.header('idempotency-replayed'), again.body]).toEqual(['true', first.body])
  })

  test('5.4: signs a response only if the request is signed or asks for a signature', async () => {
    const sandbox = await open({ layers: [], plainPort: 0 })
    const signed = await sandbox.sign({ body: irisInitiateBody() })
    const bare = BREAK.signature(signed)
    const answer = await sendPlain(sandbox, bare)
    const names = ['signature', 'signature-input', 'content-digest', 'cache-control']
    expect(names.map(name => answer.header(name))).toEqual([undefined, undefined, undefined, 'no-store'])
    await expectServed(await sendPlain(sandbox, signed), sandbox.keySet)
    const asking = withHeader(bare, 'Accept-Signature', 'service_sig=("@status" "content-digest")')
    await expectServed(await sendPlain(sandbox, asking), sandbox.keySet)
  })

  test.each([
    ['missigned', /does not verify/],
    ['tampered', /does not match the body/],
  ])('5.4: a response with the fault %s is signed also for unsigned requests', async (kind, fault) => {
    const sandbox = await open({ layers: [], plainPort: 0 })
    await sandbox.simulator.controlPlane.faults.arm('demo-merchant', { operation: 'initiate', kind })
    const answer = await sendPlain(sandbox, BREAK.signature(await sandbox.sign({ body: irisInitiateBody() })))
    expect(answer.status).toBe(200)
    expect(await signatureErrorOf(answer, sandbox.keySet)).toMatch(fault)
  })

  test('has all layers but the certificate', async () => {
    const sandbox = await open({ plainPort: 0 })
    const good = await sandbox.sign({ body: irisInitiateBody() })
    const answer = await sendPlain(sandbox, good)
    await expectServed(answer, sandbox.keySet)
    expect(answer.header('assay-layers')).toBe('certificate=off')
    expect(sandbox.simulator.layersOff).toEqual([`certificate at ${sandbox.simulator.plainUrl}`])
    await expectRefusal(await sendPlain(sandbox, BREAK.signature(good)), sandbox.keySet, '401/4990')
    await expectRefusal(
      await sendPlain(sandbox, BREAK.token(await sandbox.sign({ body: irisInitiateBody() }))),
      sandbox.keySet,
      '401/4970',
    )
    expect(statusAndCode(await sandbox.send(good, { identity: null }))).toBe('400/4980')
  })

  test('is not used as the API address of kits', async () => {
    const sandbox = await open({ plainPort: 0 })
    const message = withHeader(
      await sandbox.sign({ body: irisInitiateBody() }),
      'Host',
      `localhost:${plainPortOf(sandbox)}`,
    )
    await expectServed(await sendPlain(sandbox, message), sandbox.keySet)
    const kit = await fetch(`${sandbox.simulator.pagesUrl}/control/organizations/demo-merchant/kit`)
    expect(await kit.json()).toMatchObject({ apiBaseUrl: sandbox.simulator.apiUrl })
  })
})

test('D-70: the root page lists the disabled layers', async () => {
  const page = async (config: Partial<Config>) => (await fetch((await open(config)).simulator.pagesUrl)).text()
  const off = /data-testid="layers-off"><b>Switched off:<\/b> (.*)<\/p>/
  const [calls, told] = ['Calls without a certificate count as demo-merchant’s.', 'Every response says so.']
  expect(off.exec(await page({ layers: ['token'] }))?.[1]).toBe(`certificate, signature. ${calls} ${told}`)
  expect(off.exec(await page({ layers: ['certificate', 'token'] }))?.[1]).toBe(`signature. ${told}`)
  expect(off.exec(await page({ plainPort: 0 }))?.[1]).toContain(`. ${calls} ${told}`)
  expect(await page({})).not.toContain('layers-off')
})
