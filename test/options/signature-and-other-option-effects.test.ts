import { describe, expect, test } from 'vitest'
import { verifyRecordedResponse } from '../../contracts/client/response-verifier.ts'
import { readVerifyingKeys } from '../../contracts/client/service-key-set.ts'
import { SIGNATURE_ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import { ALGORITHMS } from '../../contracts/protocol/signature-algorithms.ts'
import { BASE_READINGS } from '../../contracts/protocol/signature-base.ts'
import type { Config } from '../../simulator/options/options.ts'
import { initiateIris, irisRequestOf, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

describe('5.2: accepted signatures', () => {
  test.each(BASE_READINGS)('only the %s signature base when it is configured', async reading => {
    const simulator = await startScopedSimulator({ signatureBase: reading })
    const statuses = BASE_READINGS.map(
      async used => (await merchantOf(simulator, { dialect: { reading: used } }).token()).status,
    )
    expect(await Promise.all(statuses)).toEqual(BASE_READINGS.map(used => (used === reading ? 200 : 401)))
  })

  test.each(SIGNATURE_ENCODINGS)('only the %s encoding when it is configured', async encoding => {
    const simulator = await startScopedSimulator({ signatureEncoding: encoding })
    const statuses = SIGNATURE_ENCODINGS.map(
      async used => (await merchantOf(simulator, { dialect: { encoding: used } }).token()).status,
    )
    expect(await Promise.all(statuses)).toEqual(SIGNATURE_ENCODINGS.map(used => (used === encoding ? 200 : 401)))
  })

  test('every signature base and encoding by default, with each of the three keys', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    for (const signingKey of merchant.credentials.signingKeys)
      for (const reading of BASE_READINGS)
        for (const encoding of SIGNATURE_ENCODINGS) {
          const parts = { form: merchant.tokenForm() }
          const { response } = await merchant.request('token', parts, { signingKey, signing: { reading, encoding } })
          expect([signingKey.algorithm.curve, reading, encoding, response?.status]).toEqual([
            signingKey.algorithm.curve,
            reading,
            encoding,
            200,
          ])
        }
  })

  test('created within the configured window', async () => {
    const merchant = merchantOf(await startScopedSimulator({ signatureAge: 100_000, signatureAhead: 50_000 }))
    const statusAt = async (seconds: number) => {
      const created = Math.floor(Date.now() / 1000) + seconds
      const { response } = await merchant.request('token', { form: merchant.tokenForm() }, { signing: { created } })
      return response?.status
    }
    expect([await statusAt(-90), await statusAt(-110), await statusAt(40), await statusAt(60)]).toEqual([
      200, 401, 200, 401,
    ])
  })
})

describe('5.4: the signature of responses', () => {
  const judged = async (config: Partial<Config>) => {
    const merchant = merchantOf(await startScopedSimulator(config))
    const set = await merchant.request('keySet')
    const { exchange } = await merchant.status('nothing')
    const verdict = await verifyRecordedResponse(exchange, readVerifyingKeys(set))
    const key = verdict.ok ? readVerifyingKeys(set).get(verdict.keyId) : undefined
    return { ...verdict, algorithm: key?.algorithm.name, digest: exchange.response?.headers['content-digest'] }
  }

  test.each(ALGORITHMS.map(({ name }) => name))('with %s when it is configured, also for errors', async name => {
    expect(await judged({ responseAlgorithm: name })).toMatchObject({ ok: true, algorithm: name })
  })

  test('by default on P-256 over the literal base, in DER, with a SHA-512 digest', async () => {
    expect(await judged({})).toMatchObject({
      ok: true,
      algorithm: 'ECDSA_SHA_256',
      reading: 'literal',
      encoding: 'der',
      digest: expect.stringMatching(/^sha-512=:/),
    })
  })

  test('over the RFC 9421 base and raw when that is configured', async () => {
    const config = { responseBase: 'rfc', responseEncoding: 'raw' } as const
    expect(await judged(config)).toMatchObject({ ok: true, reading: 'rfc', encoding: 'raw' })
  })
})

describe('other options', () => {
  test('6: lifecycle off omits lifecycle and timeline from responses', async () => {
    const merchant = merchantOf(await startScopedSimulator({ lifecycle: 'off' }))
    const id = await initiateIris(merchant)
    for (const answer of [await merchant.status(id), await merchant.events(id)]) {
      expect(answer.status).toBe(200)
      expect(answer.exchange.response?.body.toString()).not.toMatch(/lifecycle|timeline/)
    }
  })

  test('7.1: a body longer than body-limit is 413/4130', async () => {
    const merchant = merchantOf(await startScopedSimulator({ bodyLimit: 2_000 }))
    const told = async (length: number) => {
      const bytes = Buffer.from(`"${'x'.repeat(length - 2)}"`)
      const { response } = await merchant.request('initiate', { bytes })
      return [response?.status, JSON.parse(response?.body.toString() ?? '{}').statusInfo.reasonCode]
    }
    expect([await told(2_000), await told(2_001)]).toEqual([
      [400, '4000'],
      [413, '4130'],
    ])
  })

  test('5.1: TLS 1.2 is accepted only with tls-min 1.2', async () => {
    const attempt = async (config: Partial<Config>) => {
      const merchant = merchantOf(await startScopedSimulator(config))
      return merchant.request('keySet', {}, { connection: { maxVersion: 'TLSv1.2' } })
    }
    expect((await attempt({})).response).toBeUndefined()
    for (const less of [{ tlsMin: '1.2' }, { tlsMin: '1.2-exception', environment: 'production' }] as const) {
      const old = await attempt(less)
      expect([old.response?.status, old.tls]).toEqual([200, 'TLSv1.2'])
    }
  })

  test('E4: redirect URLs use pages-url, or else the host that the merchant called', async () => {
    const redirectOf = async (config: Partial<Config>) => {
      const merchant = merchantOf(await startScopedSimulator(config))
      const answer = await merchant.initiate(irisRequestOf(merchant))
      return answer.ok ? answer.body.providerDetails.redirectUrl : undefined
    }
    expect(await redirectOf({ pagesUrl: 'https://pages.example' })).toMatch(/^https:\/\/pages\.example\/iris\/[\w-]+$/)
    expect(await redirectOf({})).toMatch(/^http:\/\/localhost:\d+\/iris\/[\w-]+$/)
  })
})
