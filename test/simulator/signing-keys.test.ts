import { describe, expect, test } from 'vitest'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import { createClock } from '../../simulator/clock.ts'
import { controlOf, newPair } from '../support/identities.ts'
import { isOverPostgres } from '../support/not-over-postgres.ts'
import { merchantOf, otherMerchantOf, type Running, runningSimulator } from '../support/running.ts'

const DAY = 86_400_000

/** Status and code of a call that is signed with this key, over a connection that stays open. */
const signer = (simulator: Running) => {
  const merchant = merchantOf(simulator)
  return async (signingKey: SigningKey) => {
    const { answer } = await merchant.request('token', { form: merchant.tokenForm('payments:read') }, { signingKey })
    const { statusInfo } = JSON.parse(answer?.body.toString() ?? '{}')
    return [answer?.status, statusInfo?.reasonCode, statusInfo?.message]
  }
}

const SERVED = [200, undefined, undefined]
const refusedWith = (message: RegExp) => [401, '4992', expect.stringMatching(message)]

const kitKey = (simulator: Running): SigningKey => merchantOf(simulator).credentials.signingKeys[0] as SigningKey

describe('5.2: signing keys over control', () => {
  test('those of the kit are listed, active for a year', async () => {
    const simulator = await runningSimulator()
    const { status, body } = await controlOf(simulator).get('signing-keys')
    expect(status).toBe(200)
    expect(body.signingKeys).toEqual(
      simulator.kit.signingKeys.map(({ keyId, algorithm }) => ({
        keyId,
        algorithm,
        registeredAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        state: 'active',
      })),
    )
    for (const { registeredAt, expiresAt } of body.signingKeys)
      expect(Date.parse(expiresAt) - Date.parse(registeredAt)).toBe(365 * DAY)
  })

  test.each(['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512'] as const)(
    'a new %s key is registered as PEM, JWK or the text of a JWK, and works at once',
    async algorithm => {
      const simulator = await runningSimulator()
      const sign = signer(simulator)
      for (const form of ['pem', 'jwk', 'text'] as const) {
        const pair = newPair(algorithm)
        const publicKey = form === 'text' ? JSON.stringify(pair.jwk) : pair[form]
        const { status, body } = await controlOf(simulator).post('signing-keys', { publicKey })
        expect([status, body.algorithm, body.state]).toEqual([201, algorithm, 'active'])
        expect(await sign(pair.signingKey(body.keyId))).toEqual(SERVED)
      }
    },
  )

  test('rotation: both keys work until the old one is deregistered, then it fails at once on an open connection', async () => {
    const simulator = await runningSimulator()
    const [control, sign, old, pair] = [controlOf(simulator), signer(simulator), kitKey(simulator), newPair()]
    expect(await sign(old)).toEqual(SERVED)
    const { keyId } = (await control.post('signing-keys', { publicKey: pair.pem })).body
    expect([await sign(old), await sign(pair.signingKey(keyId))]).toEqual([SERVED, SERVED])
    const gone = await control.delete(`signing-keys/${old.keyId}`)
    expect([gone.status, gone.body.state]).toEqual([200, 'deregistered'])
    expect(await sign(old)).toEqual(refusedWith(/deregistered: sign with one that is registered/))
    expect(await sign(pair.signingKey(keyId))).toEqual(SERVED)
  })

  test('a key that was deregistered can be registered anew, under its id and for a new year', async () => {
    const simulator = await runningSimulator()
    const [control, sign, pair] = [controlOf(simulator), signer(simulator), newPair()]
    const first = (await control.post('signing-keys', { publicKey: pair.pem })).body
    const key = pair.signingKey(first.keyId)
    await sign(key)
    await control.delete(`signing-keys/${first.keyId}`)
    expect(await sign(key)).toEqual(refusedWith(/deregistered/))
    await control.advance('P1D')
    const again = (await control.post('signing-keys', { publicKey: pair.jwk })).body
    expect([again.keyId, again.state]).toEqual([first.keyId, 'active'])
    expect(Date.parse(again.expiresAt) - Date.parse(first.expiresAt)).toBeGreaterThanOrEqual(DAY)
    expect(await sign(key)).toEqual(SERVED)
  })

  test('what was deregistered stays so after a restart, and a new key stays too', async () => {
    const first = await runningSimulator()
    const [old, pair] = [kitKey(first), newPair()]
    const { keyId } = (await controlOf(first).post('signing-keys', { publicKey: pair.pem })).body
    await controlOf(first).delete(`signing-keys/${old.keyId}`)
    await first.stop()
    const sign = signer(await runningSimulator({ dataDir: first.dataDir }))
    expect(await sign(old)).toEqual(refusedWith(/deregistered/))
    expect(await sign(pair.signingKey(keyId))).toEqual(SERVED)
  })

  test('organizations change their own keys only, and may by chance have the same one', async () => {
    const simulator = await runningSimulator()
    await otherMerchantOf(simulator)
    const other = controlOf(simulator, 'other-merchant')
    const { keyId } = kitKey(simulator)
    expect((await other.delete(`signing-keys/${keyId}`)).status).toBe(404)
    expect((await controlOf(simulator).get('signing-keys')).body.signingKeys[0].state).toBe('active')
    const { pem } = newPair()
    const [mine, theirs] = [controlOf(simulator), other].map(control =>
      control.post('signing-keys', { publicKey: pem }),
    )
    expect([(await mine)?.status, (await theirs)?.status]).toEqual([201, 201])
    expect((await mine)?.body.keyId).not.toBe((await theirs)?.body.keyId)
  })

  test('fifty registrations are quick, also one after the other', async () => {
    const simulator = await runningSimulator()
    const keys = Array.from({ length: 50 }, () => newPair().pem)
    const start = performance.now()
    for (const publicKey of keys)
      expect((await controlOf(simulator).post('signing-keys', { publicKey })).status).toBe(201)
    if (!isOverPostgres) expect(performance.now() - start).toBeLessThan(2_500)
    expect((await controlOf(simulator).get('signing-keys')).body.signingKeys).toHaveLength(53)
  })
})

describe('5.2: twelve months on the organization’s clock', () => {
  /** A simulator whose time stands still unless it is moved over control. */
  const frozen = async () => {
    const now = Date.now()
    const simulator = await runningSimulator({}, { clock: createClock(() => now) })
    const control = controlOf(simulator)
    const pair = newPair()
    const { keyId } = (await control.post('signing-keys', { publicKey: pair.pem })).body
    const shown = async () =>
      (await control.get('signing-keys')).body.signingKeys.find((key: { keyId: string }) => key.keyId === keyId)
    return { control, key: pair.signingKey(keyId), sign: signer(simulator), shown }
  }

  test('a key works to its last millisecond and not beyond', async () => {
    const { control, key, sign } = await frozen()
    await control.advance('P364DT23H59M59.999S')
    expect(await sign(key)).toEqual(SERVED)
    await control.advance('PT0.001S')
    expect(await sign(key)).toEqual(refusedWith(/expired on \d{4}-.*: register a new one/))
  })

  test('thirty days before, and no sooner, a warning is given with its cure; afterwards it says that it is over', async () => {
    const { control, shown } = await frozen()
    await control.advance('P334DT23H59M59.999S')
    expect(await shown()).not.toHaveProperty('warning')
    await control.advance('PT0.001S')
    const { expiresAt } = await shown()
    expect(await shown()).toMatchObject({
      state: 'expiring',
      warning: `This key expires on ${expiresAt}: register a new one, sign with it, then deregister this one.`,
    })
    await control.advance('P30D')
    expect(await shown()).toMatchObject({ state: 'expired', warning: expect.stringMatching(/^This key expired on/) })
    await control.delete(`signing-keys/${(await shown()).keyId}`)
    expect((await shown()).state).toBe('deregistered')
    expect(await shown()).not.toHaveProperty('warning')
  })

  test('an expired key is not registered again as if it were new', async () => {
    const { control, shown } = await frozen()
    const { pem } = newPair()
    await control.post('signing-keys', { publicKey: pem })
    await control.advance('P365D')
    expect((await control.post('signing-keys', { publicKey: pem })).status).toBe(409)
    expect((await shown()).state).toBe('expired')
  })
})
