import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { SCOPES } from '../../contracts/operations.ts'
import { createAccessTokens } from '../../simulator/http/access-tokens.ts'
import { newTokenRecord } from '../../simulator/organizations/access-token-revocation-record.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { createIds } from '../../simulator/support/ids.ts'

const START = Date.UTC(2026, 0, 5, 12)

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}

const SHOP = { organizationId: 'shop', tokens: newTokenRecord('s-1') }

const open = (key = newKey()) => {
  const clock = createClock(() => START)
  return { key, clock, tokens: createAccessTokens({ clock, ids: createIds(), key }) }
}

const REFUSED = expect.objectContaining({ refusal: 'TOKEN_REFUSED' })

describe('5.3: access tokens', () => {
  test('are ES256 JWTs of an organization that expire after 7200 s on its clock', async () => {
    const { tokens, clock } = open()
    clock.adjust('shop', { at: clock.now('shop') + 86_400_000 })
    const { token, expiresInSeconds } = await tokens.issue(SHOP, ['payments:read', 'payments:process'])
    expect(expiresInSeconds).toBe(7200)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256' })
    expect(decodeJwt(token)).toMatchObject({ sub: 'shop', scope: 'payments:read payments:process' })
    expect(await tokens.verify(token)).toEqual({
      id: decodeJwt(token).jti,
      state: 's-1',
      epoch: 0,
      issuedAt: START + 86_400_000,
      organizationId: 'shop',
      scopes: ['payments:read', 'payments:process'],
      expiresAt: START + 86_400_000 + 7_200_000,
    })
    expect(await tokens.verify(token)).toBe(await tokens.verify(token))
  })

  test('last 7200 s to the millisecond, wherever in a second they are issued', async () => {
    const { tokens, clock } = open()
    for (const after of [1, 79, 333, 999]) {
      clock.adjust('shop', { at: START + DAY + after })
      const { token } = await tokens.issue(SHOP, ['payments:read'])
      expect((await tokens.verify(token)).expiresAt).toBe(START + DAY + after + 7_200_000)
    }
  })

  test('are unique', async () => {
    const { tokens } = open()
    const [one, two] = [await tokens.issue(SHOP, SCOPES), await tokens.issue(SHOP, SCOPES)]
    expect(one.token).not.toBe(two.token)
    expect(await tokens.verify(one.token)).toEqual({
      ...(await tokens.verify(two.token)),
      id: decodeJwt(one.token).jti,
    })
  })

  test('stay valid after a restart, since the key is kept', async () => {
    const before = open()
    const { token } = await before.tokens.issue(SHOP, ['payments:read'])
    expect((await open(before.key).tokens.verify(token)).organizationId).toBe('shop')
    await expect(open().tokens.verify(token)).rejects.toEqual(REFUSED)
  })

  const pem = (key: ReturnType<typeof newKey>) =>
    createPrivateKey(key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signed = (key: ReturnType<typeof newKey>, issuer: string, audience: string) =>
    new SignJWT({ scope: 'payments:process' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('shop')
      .setExpirationTime(START / 1000 + 60)
      .sign(pem(key))

  test('of another key, issuer, audience or form are refused', async () => {
    const { tokens, key } = open()
    await expect(tokens.verify(await signed(key, 'assay', 'assay'))).resolves.toMatchObject({ organizationId: 'shop' })
    const { token } = await tokens.issue(SHOP, SCOPES)
    const [head = '', body = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'other' })).toString('base64url')
    const wrong = [
      await signed(newKey(), 'assay', 'assay'),
      await signed(key, 'other', 'assay'),
      await signed(key, 'assay', 'other'),
      `${none}.${body}.`,
      `${head}.${forged}.${signature}`,
      `${head}.${body}`,
      'rubbish',
      '',
      '..',
    ]
    for (const text of wrong) await expect(tokens.verify(text)).rejects.toEqual(REFUSED)
  })
})
