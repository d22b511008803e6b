import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../simulator/options/options.ts'
import { expectRefusal, expectServed, statusAndCode } from '../support/api-response-checks.ts'
import { type RawRequest, withHeader } from '../support/create-signed-raw-request.ts'
import { exchangeRaw } from '../support/raw-http.ts'
import {
  clientCertHeader,
  identityOf,
  irisInitiateBody,
  openRawSandbox,
  type RawSandbox,
} from '../support/raw-request-sandbox.ts'
import { createUntrustedCertificate } from '../support/untrusted-certificate.ts'

const opened: RawSandbox[] = []
const open = async (config: Partial<Config>, through = true) => {
  const sandbox = await openRawSandbox({ config: { plainPort: 0, ...config }, throughProxy: through })
  opened.push(sandbox)
  return sandbox
}

afterAll(async () => {
  for (const sandbox of opened) {
    expect(sandbox.faults).toEqual([])
    await sandbox.close()
  }
})

const sendPlain = async ({ simulator }: RawSandbox, message: RawRequest) => {
  const port = Number(new URL(simulator.plainUrl ?? '').port)
  const [answer] = (await exchangeRaw(port, message, { plain: true })).answers
  if (!answer) throw new Error('There is no answer.')
  return answer
}

describe.each(['127.0.0.1', '127.0.0.0/8', '10.0.0.1,127.0.0.1'])('5.1, D-71: a proxy in the range %s', range => {
  let sandbox: RawSandbox
  beforeAll(async () => {
    sandbox = await open({ clientCertFrom: range.split(',') })
  })

  test('Client-Cert names the organization, over plain HTTP and over TLS', async () => {
    const message = withHeader(
      await sandbox.sign({ body: irisInitiateBody() }),
      'Client-Cert',
      clientCertHeader(sandbox.demo.kit),
    )
    for (const answer of [await sendPlain(sandbox, message), await sandbox.send(message, { identity: null })]) {
      await expectServed(answer, sandbox.keySet)
      expect(answer.header('assay-layers')).toBeUndefined()
    }
  })
})

describe('5.1, 5.5, D-71: a proxy in front', () => {
  let sandbox: RawSandbox
  let payment: RawRequest
  beforeAll(async () => {
    sandbox = await open({ clientCertFrom: ['127.0.0.1', '::1'] })
    payment = await sandbox.sign({ body: irisInitiateBody() })
  })
  const told = (value: string) => withHeader(payment, 'Client-Cert', value)

  test('its Client-Cert header is used, and its own certificate is not', async () => {
    const theirs = { identity: identityOf(sandbox.other.kit) }
    expect(statusAndCode(await sandbox.send(told(clientCertHeader(sandbox.demo.kit)), theirs))).toBe('200/-1')
    const asOther = told(clientCertHeader(sandbox.other.kit))
    expect(statusAndCode(await sandbox.send(asOther, { identity: identityOf(sandbox.demo.kit) }))).toBe('401/4992')
  })

  test('without the header there is no certificate, even if the proxy presents one', async () => {
    const missing = [await sendPlain(sandbox, payment), await sandbox.send(payment)]
    for (const answer of missing) {
      const { statusInfo } = await expectRefusal(answer, sandbox.keySet, '400/4980')
      expect(statusInfo.message).toContain('There is no client certificate')
    }
  })

  test('an unregistered certificate is refused as over TLS', async () => {
    const { statusInfo } = await expectRefusal(
      await sendPlain(sandbox, told(clientCertHeader(await createUntrustedCertificate('CN=demo-merchant')))),
      sandbox.keySet,
      '400/4980',
    )
    expect(statusInfo.message).toContain('not trusted')
  })

  test('an invalid header is refused', async () => {
    const good = clientCertHeader(sandbox.demo.kit)
    const der = new X509Certificate(sandbox.demo.kit.certificate).raw
    const values = [
      '',
      ':',
      '::',
      ':AAAA:',
      good.slice(1),
      good.slice(0, -1),
      `"${good.slice(1, -1)}"`,
      `${good};a=1`,
      `${good}, ${good}`,
      `:${Buffer.concat([der, Buffer.from('more')]).toString('base64')}:`,
      `:${Buffer.from(sandbox.demo.kit.certificate).toString('base64')}:`,
      encodeURIComponent(sandbox.demo.kit.certificate),
    ]
    for (const value of values)
      expect([value.slice(0, 20), statusAndCode(await sendPlain(sandbox, told(value)))]).toEqual([
        value.slice(0, 20),
        '400/4980',
      ])
    const twice = withHeader(payment, 'Client-Cert', good, good)
    expect(statusAndCode(await sendPlain(sandbox, twice))).toBe('400/4000')
  })

  test('the Host by which it was called is used in kits, with https', async () => {
    const message = withHeader(told(clientCertHeader(sandbox.demo.kit)), 'Host', 'localhost:7443')
    await expectServed(await sendPlain(sandbox, message), sandbox.keySet)
    const kit = await fetch(`${sandbox.simulator.pagesUrl}/control/organizations/demo-merchant/kit`)
    expect(await kit.json()).toMatchObject({ apiBaseUrl: 'https://localhost:7443' })
  })
})

describe('D-71: Client-Cert from any other address', () => {
  test.each([
    ['no address is configured', {}],
    ['another one is', { clientCertFrom: ['10.0.0.0/8', '::2'] }],
    ['another one is, and the certificate layer is off', { clientCertFrom: ['10.0.0.1'], layers: [] }],
  ] as [string, Partial<Config>][])('is refused when %s', async (_where, config) => {
    const sandbox = await open(config, false)
    const message = withHeader(
      await sandbox.sign({ body: irisInitiateBody() }),
      'Client-Cert',
      clientCertHeader(sandbox.demo.kit),
    )
    for (const answer of [await sandbox.send(message), await sandbox.send(message, { identity: null })]) {
      const { statusInfo } = await expectRefusal(answer, sandbox.keySet, '400/4980')
      expect(statusInfo.message).toContain('--client-cert-from')
    }
    const [entry] = sandbox.simulator.controlPlane.journal.latest(undefined, 1)
    expect(entry?.refused).toMatchObject({ layer: 'certificate', peer: '127.0.0.1' })
  })
})
