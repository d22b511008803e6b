import { expect, test } from 'vitest'
import { createTokenRevocation } from '../../simulator/organizations/token-revocation.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'

const HOUR = 3_600_000

const forged = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify({ sub: SHOP, exp: 221_845_392_000, ...claims })).toString('base64url')}.x`

/** Opens the revocation of a sandbox's core; `revoked` reads the ids of the tokens that are revoked one by one. */
const begin = async () => {
  const { store, clock } = await openCore()
  const tokens = createTokenRevocation({ store, clock, onChange: () => undefined })
  const shop = { organizationId: SHOP } as Parameters<typeof tokens.revoke>[0]
  const record = async () => JSON.parse((await store.organization(SHOP))?.tokens ?? '{}')
  const revoked = async () => (await record()).revoked.map(({ id }: { id: string }) => id)
  const revoke = (jti: string) => tokens.revoke(shop, forged({ jti }))
  const revokeUntil = (jti: string, until: number) => tokens.revoke(shop, forged({ jti, exp: until / 1000 }))
  return { store, clock, tokens, revoke, revokeUntil, record, revoked }
}

test('5.3: tokens that are revoked at once are all revoked, also while the clock is set back', async () => {
  const { tokens, revoke, record, revoked } = await begin()
  await Promise.all([revoke('a'), tokens.setBack(SHOP, 5), revoke('b'), revoke('c')])
  expect((await revoked()).sort()).toEqual(['a', 'b', 'c'])
  expect((await record()).setBack).toEqual([5])
})

test('5.3: an id that no token of the sandbox has is refused, and stays out of the record', async () => {
  const { store, revoke } = await begin()
  await expect(revoke('x'.repeat(45_000))).rejects.toThrow(/no access token of shop/)
  expect((await store.organization(SHOP))?.tokens).toBeUndefined()
})

test('5.3: a revoked token stays so after the clock has passed its end and was set back', async () => {
  const { clock, tokens, revokeUntil, revoked } = await begin()
  await revokeUntil('a', clock.now(SHOP) + HOUR)
  clock.set(SHOP, { ...clock.setting(SHOP), anchorVirtual: clock.setting(SHOP).anchorVirtual + 3 * HOUR })
  await revokeUntil('b', clock.now(SHOP) + HOUR)
  await tokens.setBack(SHOP, 5)
  expect((await revoked()).sort()).toEqual(['a', 'b'])
})

test('5.3: the list of revoked tokens has an end, and the revocation of all of them empties it', async () => {
  const { store, tokens, revoke, record, revoked } = await begin()
  const full = Array.from({ length: 500 }, (_, nth) => ({ id: `t${nth}`, until: 1e15 }))
  await store.changeTokens(SHOP, () => JSON.stringify({ state: '', first: 0, setBack: [], revoked: full }))
  await expect(revoke('one more')).rejects.toThrow(/500 revoked tokens .*revoke all/)
  await revoke('t7')
  expect(await revoked()).toHaveLength(500)
  const overdue = full.map(token => ({ ...token, until: 1 }))
  await store.changeTokens(SHOP, () => JSON.stringify({ state: '', first: 0, setBack: [], revoked: overdue }))
  await revoke('one more')
  expect(await revoked()).toEqual(['one more'])
  await tokens.revokeAll(SHOP)
  expect([await revoked(), (await record()).setBack.length]).toEqual([[], 1])
  await revoke('one more')
  expect(await revoked()).toEqual(['one more'])
})
