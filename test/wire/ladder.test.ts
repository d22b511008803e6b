import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, GUARDS } from '../../simulator/options.ts'
import { strangersCertificate } from './certificates.ts'
import { codeOf, expectRefusal, expectServed, signatureFaultOf } from './judge.ts'
import { type Message, withHeader } from './message.ts'
import { identityOf, irisPayment, openSandbox, type Sandbox } from './sandbox.ts'
import { talk } from './talk.ts'

const open = async (config: Partial<Config>): Promise<Sandbox> => {
  const sandbox = await openSandbox({ config })
  onTestFinished(async () => {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  })
  return sandbox
}

const plainPortOf = ({ simulator }: Sandbox): number => Number(new URL(simulator.plainUrl ?? '').port)

/** Over the plain listener, where there is no certificate to show. */
const sendPlain = async (sandbox: Sandbox, message: Message | Buffer) => {
  const [answer] = (await talk(plainPortOf(sandbox), message, { plain: true })).answers
  if (!answer) throw new Error('There is no answer.')
  return answer
}

const without = (message: Message, ...names: string[]): Message =>
  names.reduce((rest, name) => withHeader(rest, name), message)

/** What each layer needs taken away from a call that has everything. */
const BREAK = {
  certificate: (message: Message) => message,
  signature: (message: Message) => without(message, 'Signature', 'Signature-Input', 'Content-Digest'),
  token: (message: Message) => without(message, 'Authorization'),
} as const
const REFUSED = { certificate: '400/4980', signature: '401/4990', token: '401/4970' } as const

const header = (off: readonly string[]) => (off.length === 0 ? undefined : off.map(name => `${name}=off`).join(', '))

describe('5, D-70: each layer can be switched off by name', () => {
  const [c, g, t] = GUARDS
  const subsets: Config['layers'][] = [[], [c], [g], [t], [c, g], [c, t], [g, t], [c, g, t]]

  test.each(subsets.map(layers => ({ layers })))('with $layers on, those and no others refuse', async ({ layers }) => {
    const sandbox = await open({ layers })
    const off = GUARDS.filter(guard => !layers.includes(guard))
    for (const guard of GUARDS) {
      const message = BREAK[guard](await sandbox.sign({ body: irisPayment() }))
      const identity = guard === 'certificate' ? null : identityOf(sandbox.demo.kit)
      const answer = await sandbox.send(message, { identity })
      expect([guard, codeOf(answer)]).toEqual([guard, layers.includes(guard) ? REFUSED[guard] : '200/-1'])
      expect(answer.header('assay-layers')).toBe(header(off))
    }
    expect(sandbox.simulator.layersOff).toEqual(off)
  })

  test('what is off is told in every answer: of the key set, of refusals, of what cannot be read', async () => {
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

  test('nothing is off by default, and no answer says so', async () => {
    const sandbox = await open({})
    expect((await sandbox.send(await sandbox.sign({ target: '/nowhere' }))).header('assay-layers')).toBeUndefined()
    expect([sandbox.simulator.layersOff, sandbox.simulator.plainUrl]).toEqual([[], undefined])
  })
})

describe('5.1, D-70: who calls without certificate', () => {
  test('is the demo organization; one that shows a known certificate is itself', async () => {
    const sandbox = await open({ layers: [] })
    const body = irisPayment()
    const { transactionId } = await expectServed(
      await sandbox.send(await sandbox.sign({ body }), { identity: null }),
      sandbox.keySet,
    )
    const target = `/payments/${transactionId}/status`
    const read = async (identity: Parameters<Sandbox['send']>[1]) =>
      codeOf(await sandbox.send(await sandbox.sign({ target }), identity))
    expect(await read({ identity: null })).toBe('200/-1')
    expect(await read({ identity: await strangersCertificate('CN=somebody') })).toBe('200/-1')
    expect(await read({ identity: identityOf(sandbox.demo.kit) })).toBe('200/-1')
    expect(await read({ identity: identityOf(sandbox.other.kit) })).toBe('404/4001')
  })

  test('5.3: without tokens every scope is granted, and a token that is sent is not looked at', async () => {
    const sandbox = await open({ layers: ['certificate', 'signature'] })
    for (const token of [null, 'nonsense'])
      await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment(), token })), sandbox.keySet)
  })

  test('5.2: a signature that is sent is not checked', async () => {
    const sandbox = await open({ layers: ['certificate', 'token'] })
    const message = withHeader(await sandbox.sign({ body: irisPayment() }), 'Signature', 'service_sig=:AAAA:')
    await expectServed(await sandbox.send(message), sandbox.keySet)
  })
})

describe('D-70: the plain listener', () => {
  test('serves curl with no more than a body and a key, and all else is as ever', async () => {
    const sandbox = await open({ layers: [], plainPort: 0 })
    const payment = (more = '') => {
      const body = JSON.stringify(irisPayment({ clientTransactionId: 'plain' }))
      const lines = ['POST /payments/initiate HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
      return Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`)
    }
    expect(codeOf(await sendPlain(sandbox, payment()))).toBe('400/4000')
    const first = await sendPlain(sandbox, payment('Idempotency-Key: k-1\r\n'))
    expect(codeOf(first)).toBe('200/-1')
    const again = await sendPlain(sandbox, payment('Idempotency-Key: k-1\r\n'))
    expect([again.header('idempotency-replayed'), again.body]).toEqual(['true', first.body])
  })

  test('5.4: answers in kind: who neither signs nor asks for a signature gets none', async () => {
    const sandbox = await open({ layers: [], plainPort: 0 })
    const signed = await sandbox.sign({ body: irisPayment() })
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
  ])(
    '5.4: an answer that is %s for who does not sign shows it as well: nobody could tell otherwise',
    async (kind, fault) => {
      const sandbox = await open({ layers: [], plainPort: 0 })
      await sandbox.simulator.operator.faults.arm('demo-merchant', { operation: 'initiate', kind })
      const answer = await sendPlain(sandbox, BREAK.signature(await sandbox.sign({ body: irisPayment() })))
      expect(answer.status).toBe(200)
      expect(await signatureFaultOf(answer, sandbox.keySet)).toMatch(fault)
    },
  )

  test('has no certificate layer and all the others', async () => {
    const sandbox = await open({ plainPort: 0 })
    const good = await sandbox.sign({ body: irisPayment() })
    const answer = await sendPlain(sandbox, good)
    await expectServed(answer, sandbox.keySet)
    expect(answer.header('assay-layers')).toBe('certificate=off')
    expect(sandbox.simulator.layersOff).toEqual([`certificate at ${sandbox.simulator.plainUrl}`])
    await expectRefusal(await sendPlain(sandbox, BREAK.signature(good)), sandbox.keySet, '401/4990')
    await expectRefusal(
      await sendPlain(sandbox, BREAK.token(await sandbox.sign({ body: irisPayment() }))),
      sandbox.keySet,
      '401/4970',
    )
    expect(codeOf(await sandbox.send(good, { identity: null }))).toBe('400/4980')
  })

  test('is no address of the API that kits are given', async () => {
    const sandbox = await open({ plainPort: 0 })
    const message = withHeader(await sandbox.sign({ body: irisPayment() }), 'Host', `localhost:${plainPortOf(sandbox)}`)
    await expectServed(await sendPlain(sandbox, message), sandbox.keySet)
    const kit = await fetch(`${sandbox.simulator.pagesUrl}/control/organizations/demo-merchant/kit`)
    expect(await kit.json()).toMatchObject({ apiBaseUrl: sandbox.simulator.apiUrl })
  })
})

test('D-70: the first page tells what is off', async () => {
  const page = async (config: Partial<Config>) => (await fetch((await open(config)).simulator.pagesUrl)).text()
  expect(await page({ layers: ['token'] })).toMatch(/data-testid="layers-off">.*certificate, signature\./)
  expect(await page({})).not.toContain('layers-off')
})
