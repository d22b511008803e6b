import { describe, expect, test } from 'vitest'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { organizationControl } from '../support/control-client.ts'
import { newKeyPair } from '../support/generate-keys-and-certificates.ts'
import {
  createSecondMerchant,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const DAY = 86_400_000

/** Creates a caller that returns status, code and message of a call signed with a key, over an open connection. */
const signer = (simulator: ScopedSimulator) => {
  const merchant = merchantOf(simulator)
  return async (signingKey: SigningKey) => {
    const { response } = await merchant.request('token', { form: merchant.tokenForm('payments:read') }, { signingKey })
    const { statusInfo } = JSON.parse(response?.body.toString() ?? '{}')
    return [response?.status, statusInfo?.reasonCode, statusInfo?.message]
  }
}

const SERVED = [200, undefined, undefined]
const refusedWith = (message: RegExp) => [401, '4992', expect.stringMatching(message)]

const kitKey = (simulator: ScopedSimulator): SigningKey =>
  merchantOf(simulator).credentials.signingKeys[0] as SigningKey

describe('5.2: signing keys over control', () => {
  test('the keys of the kit are listed, active for a year', async () => {
    const simulator = await startScopedSimulator()
    const { status, body } = await organizationControl(simulator).get('signing-keys')
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
      const simulator = await startScopedSimulator()
      const sign = signer(simulator)
      for (const form of ['pem', 'jwk', 'text'] as const) {
        const pair = newKeyPair(algorithm)
        const publicKey = form === 'text' ? JSON.stringify(pair.jwk) : pair[form]
        const { status, body } = await organizationControl(simulator).post('signing-keys', { publicKey })
        expect([status, body.algorithm, body.state]).toEqual([201, algorithm, 'active'])
        expect(await sign(pair.signingKey(body.keyId))).toEqual(SERVED)
      }
    },
  )

  test('rotation: both keys work until the old one is deregistered, which takes effect on open connections', async () => {
    const simulator = await startScopedSimulator()
    const [control, sign, old, pair] = [
      organizationControl(simulator),
      signer(simulator),
      kitKey(simulator),
      newKeyPair(),
    ]
    expect(await sign(old)).toEqual(SERVED)
    const { keyId } = (await control.post('signing-keys', { publicKey: pair.pem })).body
    expect([await sign(old), await sign(pair.signingKey(keyId))]).toEqual([SERVED, SERVED])
    const gone = await control.delete(`signing-keys/${old.keyId}`)
    expect([gone.status, gone.body.state]).toEqual([200, 'deregistered'])
    expect(await sign(old)).toEqual(refusedWith(/deregistered: sign with one that is registered/))
    expect(await sign(pair.signingKey(keyId))).toEqual(SERVED)
  })

  test('a deregistered key can be registered again, under the same id, for the rest of its twelve months', async () => {
    const simulator = await startScopedSimulator()
    const [control, sign, pair] = [organizationControl(simulator), signer(simulator), newKeyPair()]
    const first = (await control.post('signing-keys', { publicKey: pair.pem })).body
    const key = pair.signingKey(first.keyId)
    await sign(key)
    await control.delete(`signing-keys/${first.keyId}`)
    expect(await sign(key)).toEqual(refusedWith(/deregistered/))
    await control.advance('P1D')
    const again = (await control.post('signing-keys', { publicKey: pair.jwk })).body
    expect([again.keyId, again.state, again.expiresAt]).toEqual([first.keyId, 'active', first.expiresAt])
    expect(await sign(key)).toEqual(SERVED)
  })

  test('registrations and deregistrations survive a restart', async () => {
    const first = await startScopedSimulator()
    const [old, pair] = [kitKey(first), newKeyPair()]
    const { keyId } = (await organizationControl(first).post('signing-keys', { publicKey: pair.pem })).body
    await organizationControl(first).delete(`signing-keys/${old.keyId}`)
    await first.stop()
    const sign = signer(await startScopedSimulator({ dataDir: first.dataDir }))
    expect(await sign(old)).toEqual(refusedWith(/deregistered/))
    expect(await sign(pair.signingKey(keyId))).toEqual(SERVED)
  })

  test('organizations change their own keys only, and two may register the same key', async () => {
    const simulator = await startScopedSimulator()
    await createSecondMerchant(simulator)
    const other = organizationControl(simulator, 'other-merchant')
    const { keyId } = kitKey(simulator)
    expect((await other.delete(`signing-keys/${keyId}`)).status).toBe(404)
    expect((await organizationControl(simulator).get('signing-keys')).body.signingKeys[0].state).toBe('active')
    const { pem } = newKeyPair()
    const [mine, theirs] = [organizationControl(simulator), other].map(control =>
      control.post('signing-keys', { publicKey: pem }),
    )
    expect([(await mine)?.status, (await theirs)?.status]).toEqual([201, 201])
    expect((await mine)?.body.keyId).not.toBe((await theirs)?.body.keyId)
  })

  test('fifty keys are registered one after the other', async () => {
    const simulator = await startScopedSimulator()
    const keys = Array.from({ length: 50 }, () => newKeyPair().pem)
    for (const publicKey of keys)
      expect((await organizationControl(simulator).post('signing-keys', { publicKey })).status).toBe(201)
    expect((await organizationControl(simulator).get('signing-keys')).body.signingKeys).toHaveLength(53)
  })
})

describe('5.2: twelve months on the organization’s clock', () => {
  /** Starts a simulator with a fixed clock that only control moves. */
  const frozen = async () => {
    const now = Date.now()
    const simulator = await startScopedSimulator({}, { clock: createClock(() => now) })
    const control = organizationControl(simulator)
    const pair = newKeyPair()
    const { keyId } = (await control.post('signing-keys', { publicKey: pair.pem })).body
    const shown = async () =>
      (await control.get('signing-keys')).body.signingKeys.find((key: { keyId: string }) => key.keyId === keyId)
    return { control, key: pair.signingKey(keyId), sign: signer(simulator), shown }
  }

  test('a key is valid to its last millisecond', async () => {
    const { control, key, sign } = await frozen()
    await control.advance('P364DT23H59M59.999S')
    expect(await sign(key)).toEqual(SERVED)
    await control.advance('PT0.001S')
    expect(await sign(key)).toEqual(refusedWith(/expired on \d{4}-.*: register a new one/))
  })

  test('a key has a warning from thirty days before its expiry, and another one after it', async () => {
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

  test('an expired key cannot be registered again', async () => {
    const { control, shown } = await frozen()
    const { pem } = newKeyPair()
    await control.post('signing-keys', { publicKey: pem })
    await control.advance('P365D')
    expect((await control.post('signing-keys', { publicKey: pem })).status).toBe(409)
    expect((await shown()).state).toBe('expired')
  })
})
