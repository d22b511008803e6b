import { describe, expect, test } from 'vitest'
import { acceptedOfRequests, createDialect } from '../../contracts/dialect/dialect.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { type SigningOptions, signRequest } from '../../contracts/protocol/sign-messages.ts'
import { describeCause } from '../../contracts/protocol/signature-lab/signature-error-causes.ts'
import { verifyRequest } from '../../contracts/protocol/verify-request.ts'
import { diagnoseWithKeys } from './diagnose-signed-requests.ts'
import { BODY, CURVE_PAIRS, NOW } from './sign-requests-with-mistakes.ts'

const { P256 } = CURVE_PAIRS
const SENT = { method: 'POST', target: '/payments/capture', body: Buffer.from(BODY) }
const HEADERS = { host: 'api.example:8443', 'content-type': 'application/json; charset=utf-8' }

type Choices = NonNullable<DialectLines['dialect']>

const accepted = (dialect: Choices) => {
  const found = acceptedOfRequests(createDialect({ dialect }))
  if (!found) throw new Error('The lines name no dialect.')
  return found
}

const signedHeaders = async (choices: Partial<SigningOptions>): Promise<Record<string, string>> => {
  const { host, 'content-type': contentType } = HEADERS
  return { ...HEADERS, ...(await signRequest({ ...SENT, host, contentType }, P256, { created: NOW, ...choices })) }
}

const isAccepted = async (headers: Record<string, string>, dialect: Choices): Promise<boolean> => {
  const rules = {
    keyFor: () => P256,
    dialect: accepted(dialect),
    nowSeconds: NOW,
    maxAgeSeconds: 300,
    maxAheadSeconds: 60,
  }
  return (await verifyRequest({ ...SENT, host: HEADERS.host, header: name => headers[name] }, rules)).ok
}

// biome-ignore format: a table reads by its columns
const LINES: readonly (readonly [line: string, one: Choices, other: Choices, fault: RegExp])[] = [
  ['reading',  { reading: 'rfc' },         { reading: 'literal' },     /label service_sig=/],
  ['encoding', { encoding: 'raw' },        { encoding: 'der' },        /is encoded as/],
  ['order',    { order: 'created-keyid' }, { order: 'keyid-created' }, /are in an order/],
  ['port',     { port: 'kept' },           { port: 'dropped' },        /"@authority" (includes|lacks) the port/],
]

describe.each(LINES)('5.2, C7: the lab judges the line dialect.%s as the service does', (_, one, other, fault) => {
  test.each([
    [one, other],
    [other, one],
  ])('%j is accepted, %j refused and corrected', async (wanted, wrong) => {
    for (const choices of [wanted, wrong]) {
      const headers = await signedHeaders(choices)
      const isRight = await isAccepted(headers, wanted)
      expect(isRight).toBe(choices === wanted)
      const { verdict, faults, correct } = await diagnoseWithKeys(
        { ...SENT, headers: Object.entries(headers), sentAt: NOW },
        { dialect: accepted(wanted), signerOf: () => P256 },
      )
      expect(verdict).toBe(isRight ? 'verifies' : 'refused')
      expect(faults.map(describeCause)).toEqual(isRight ? [] : [expect.stringMatching(fault)])
      expect(await isAccepted({ ...headers, ...correct.headers }, wanted)).toBe(true)
      expect(correct.headers?.['signature-input']).toContain(
        correct.base.split('@signature-params": ')[1]?.replace('service_sig=', ''),
      )
    }
  })
})
