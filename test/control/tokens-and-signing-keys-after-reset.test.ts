import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { controlClient, createMerchantOrganization } from '../support/control-client.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const begin = async () => {
  const simulator = await startScopedSimulator()
  const ask = controlClient(simulator)
  const { merchant, here } = await createMerchantOrganization(simulator, 'shop')
  /** Status and reason code of a call with a token; 404/4001 is that of a token that is valid. */
  const used = async (token: string, by = merchant): Promise<string> => {
    const { response } = await by.request('status', { path: { transactionId: 'nobody' } }, { token })
    return `${response?.status}/${JSON.parse(response?.body.toString() ?? '{}').statusInfo?.reasonCode}`
  }
  /** A new token; the client caches none. */
  const fetched = async (by = merchant): Promise<string> => {
    const { response } = await by.request('token', {
      form: { grant_type: 'client_credentials', client_id: by.credentials.clientId },
    })
    return JSON.parse(response?.body.toString() ?? '{}').access_token
  }
  const newKey = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  return { simulator, ask, merchant, here, used, fetched, newKey }
}

const VALID = '404/4001'
const REVOKED = '401/4061'

describe('5.3, 7.3: a token and the clock of its organization', () => {
  test('fetched with the clock ahead, it ends with a reset; one of before stays', async () => {
    const { ask, here, used, fetched } = await begin()
    const before = await fetched()
    await ask('POST', `${here}/clock`, { advance: 'P30D' })
    const ahead = await fetched()
    expect(await used(ahead)).toBe(VALID)
    await ask('POST', `${here}/reset`)
    expect([await used(ahead), await used(before)]).toEqual([REVOKED, VALID])
    await ask('POST', `${here}/clock`, { advance: 'P30D' })
    expect([await used(ahead), await used(await fetched())]).toEqual([REVOKED, VALID])
  })

  test('fetched after a snapshot, it ends with its restoration; one of before stays', async () => {
    const { ask, here, used, fetched } = await begin()
    const before = await fetched()
    await ask('POST', `${here}/snapshots`, { name: 'early' })
    await ask('POST', `${here}/clock`, { advance: 'PT1H' })
    const ahead = await fetched()
    await ask('POST', `${here}/snapshots/early/restore`)
    expect([await used(ahead), await used(before)]).toEqual([REVOKED, VALID])
    await ask('POST', `${here}/clock`, { advance: 'PT90M' })
    expect([await used(ahead), await used(await fetched())]).toEqual([REVOKED, VALID])
  })

  test('it does not outlive its organization, also where another of the same name follows', async () => {
    const { simulator, ask, here, used, fetched } = await begin()
    const old = await fetched()
    await ask('DELETE', here)
    const { merchant } = await createMerchantOrganization(simulator, 'shop')
    expect([await used(old, merchant), await used(await fetched(merchant), merchant)]).toEqual([REVOKED, VALID])
  })

  test('control revokes one, or all; a new one is valid, and a restart changes nothing', async () => {
    const { simulator, ask, here, used, fetched } = await begin()
    const [one, other] = [await fetched(), await fetched()]
    expect((await ask('POST', `${here}/tokens/revoke`, { token: one })).body).toEqual({ revoked: 'one' })
    expect([await used(one), await used(other)]).toEqual([REVOKED, VALID])
    expect((await ask('POST', `${here}/tokens/revoke`)).body).toEqual({ revoked: 'all' })
    const next = await fetched()
    expect([await used(one), await used(other), await used(next)]).toEqual([REVOKED, REVOKED, VALID])
    await ask('POST', `${here}/tokens/revoke`, { token: next })
    expect(await used(next)).toBe(REVOKED)
    for (const token of ['x', 'a.b.c', `${Buffer.from('{}').toString('base64url')}.e30.x`, 7])
      expect((await ask('POST', `${here}/tokens/revoke`, { token })).status).toBe(400)
    await simulator.stop()
    const again = await startScopedSimulator({ dataDir: simulator.dataDir })
    const record = (await again.controlPlane.organizations.require('shop')).tokens
    expect(JSON.parse(record ?? '')).toMatchObject({ setBack: [expect.any(Number)], revoked: [expect.anything()] })
  })
})

describe('5.2: a signing key and the clock of its organization', () => {
  test('registered with the clock ahead, its twelve months begin with the reset or restoration', async () => {
    const { ask, here, newKey } = await begin()
    for (const way of ['reset', 'snapshots/early/restore']) {
      await ask('POST', `${here}/snapshots`, { name: 'early' })
      await ask('POST', `${here}/clock`, { advance: 'P300D' })
      const { body: key } = await ask('POST', `${here}/signing-keys`, { publicKey: newKey() })
      const { body: done } = await ask('POST', `${here}/${way}`)
      const { signingKeys } = (await ask('GET', `${here}/signing-keys`)).body
      const kept = signingKeys.find(({ keyId }: { keyId: string }) => keyId === key.keyId)
      const year = 365 * 86_400_000
      expect([way, Math.abs(Date.parse(kept.expiresAt) - Date.parse(done.now) - year) < 60_000]).toEqual([way, true])
      expect(Date.parse(kept.registeredAt)).toBeLessThanOrEqual(Date.parse(done.now) + 1000)
    }
  })

  test('an expired pair is not renewed, registered or deregistered; a deregistered one has what is left of its year', async () => {
    const { ask, here, newKey } = await begin()
    const [publicKey, early] = [newKey(), newKey()]
    const { body: key } = await ask('POST', `${here}/signing-keys`, { publicKey })
    const { body: other } = await ask('POST', `${here}/signing-keys`, { publicKey: early })
    await ask('POST', `${here}/clock`, { advance: 'P100D' })
    await ask('DELETE', `${here}/signing-keys/${other.keyId}`)
    const again = await ask('POST', `${here}/signing-keys`, { publicKey: early })
    expect(again).toMatchObject({ status: 201, body: { state: 'active', expiresAt: other.expiresAt } })
    await ask('POST', `${here}/clock`, { advance: 'P300D' })
    const isExpired = { status: 409, body: { error: expect.stringContaining('expired') } }
    expect(await ask('POST', `${here}/signing-keys`, { publicKey })).toMatchObject(isExpired)
    await ask('DELETE', `${here}/signing-keys/${key.keyId}`)
    expect(await ask('POST', `${here}/signing-keys`, { publicKey })).toMatchObject(isExpired)
  })
})
