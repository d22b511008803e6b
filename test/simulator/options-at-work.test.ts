import { describe, expect, test } from 'vitest'
import { keysOf, verifyExchange } from '../../contracts/client/key-set.ts'
import { ALGORITHMS } from '../../contracts/protocol/algorithms.ts'
import { ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import { READINGS } from '../../contracts/protocol/signature-base.ts'
import type { Config } from '../../simulator/options.ts'
import { initiated, irisOf, merchantOf, runningSimulator } from '../support/running.ts'

describe('5.2: what signatures are accepted', () => {
  test.each(READINGS)('only the %s reading where it is the only one', async reading => {
    const simulator = await runningSimulator({ signatureBase: reading })
    const statuses = READINGS.map(
      async used => (await merchantOf(simulator, { dialect: { reading: used } }).token()).status,
    )
    expect(await Promise.all(statuses)).toEqual(READINGS.map(used => (used === reading ? 200 : 401)))
  })

  test.each(ENCODINGS)('only %s where it is the only one', async encoding => {
    const simulator = await runningSimulator({ signatureEncoding: encoding })
    const statuses = ENCODINGS.map(
      async used => (await merchantOf(simulator, { dialect: { encoding: used } }).token()).status,
    )
    expect(await Promise.all(statuses)).toEqual(ENCODINGS.map(used => (used === encoding ? 200 : 401)))
  })

  test('all of them by default, with each of the three keys', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    for (const signingKey of merchant.credentials.signingKeys)
      for (const reading of READINGS)
        for (const encoding of ENCODINGS) {
          const parts = { form: merchant.tokenForm() }
          const { answer } = await merchant.request('token', parts, { signingKey, signing: { reading, encoding } })
          expect([signingKey.algorithm.curve, reading, encoding, answer?.status]).toEqual([
            signingKey.algorithm.curve,
            reading,
            encoding,
            200,
          ])
        }
  })

  test('created within the window that is configured', async () => {
    const merchant = merchantOf(await runningSimulator({ signatureAge: 100_000, signatureAhead: 50_000 }))
    const statusAt = async (seconds: number) => {
      const created = Math.floor(Date.now() / 1000) + seconds
      const { answer } = await merchant.request('token', { form: merchant.tokenForm() }, { signing: { created } })
      return answer?.status
    }
    expect([await statusAt(-90), await statusAt(-110), await statusAt(40), await statusAt(60)]).toEqual([
      200, 401, 200, 401,
    ])
  })
})

describe('5.4: how answers are signed', () => {
  const judged = async (config: Partial<Config>) => {
    const merchant = merchantOf(await runningSimulator(config))
    const set = await merchant.request('keySet')
    const { exchange } = await merchant.status('nothing')
    const verdict = await verifyExchange(exchange, keysOf(set))
    const key = verdict.ok ? keysOf(set).get(verdict.keyId) : undefined
    return { ...verdict, algorithm: key?.algorithm.name, digest: exchange.answer?.headers['content-digest'] }
  }

  test.each(ALGORITHMS.map(({ name }) => name))('with %s where it is configured, refusals too', async name => {
    expect(await judged({ answerAlgorithm: name })).toMatchObject({ ok: true, algorithm: name })
  })

  test('by default on P-256, as the document prints it, in DER, with a digest of sha-512', async () => {
    expect(await judged({})).toMatchObject({
      ok: true,
      algorithm: 'ECDSA_SHA_256',
      reading: 'literal',
      encoding: 'der',
      digest: expect.stringMatching(/^sha-512=:/),
    })
  })

  test('as RFC 9421 has it where that is configured', async () => {
    const config = { answerBase: 'rfc', answerEncoding: 'raw' } as const
    expect(await judged(config)).toMatchObject({ ok: true, reading: 'rfc', encoding: 'raw' })
  })
})

describe('the rest', () => {
  test('6: lifecycle off leaves nothing of ours in an answer', async () => {
    const merchant = merchantOf(await runningSimulator({ lifecycle: 'off' }))
    const id = await initiated(merchant)
    for (const answer of [await merchant.status(id), await merchant.events(id)]) {
      expect(answer.status).toBe(200)
      expect(answer.exchange.answer?.body.toString()).not.toMatch(/lifecycle|timeline/)
    }
  })

  test('7.1: body-limit is the longest body: one byte more is 413/4130', async () => {
    const merchant = merchantOf(await runningSimulator({ bodyLimit: 2_000 }))
    const told = async (length: number) => {
      const bytes = Buffer.from(`"${'x'.repeat(length - 2)}"`)
      const { answer } = await merchant.request('initiate', { bytes })
      return [answer?.status, JSON.parse(answer?.body.toString() ?? '{}').statusInfo.reasonCode]
    }
    expect([await told(2_000), await told(2_001)]).toEqual([
      [400, '4000'],
      [413, '4130'],
    ])
  })

  test('5.1: TLS 1.2 is accepted by option only', async () => {
    const attempt = async (config: Partial<Config>) => {
      const merchant = merchantOf(await runningSimulator(config))
      return merchant.request('keySet', {}, { connection: { maxVersion: 'TLSv1.2' } })
    }
    expect((await attempt({})).answer).toBeUndefined()
    const old = await attempt({ tlsMin: '1.2' })
    expect([old.answer?.status, old.tls]).toEqual([200, 'TLSv1.2'])
  })

  test('E4: redirects follow a configured address, else the one by which the merchant came', async () => {
    const redirectOf = async (config: Partial<Config>) => {
      const merchant = merchantOf(await runningSimulator(config))
      const answer = await merchant.initiate(irisOf(merchant))
      return answer.ok ? answer.body.providerDetails.redirectUrl : undefined
    }
    expect(await redirectOf({ pagesUrl: 'https://pages.example' })).toMatch(/^https:\/\/pages\.example\/iris\/[\w-]+$/)
    expect(await redirectOf({})).toMatch(/^http:\/\/localhost:\d+\/iris\/[\w-]+$/)
  })
})
