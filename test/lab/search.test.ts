import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CauseId } from '../../contracts/protocol/lab/causes.ts'
import { reportOf } from '../../contracts/protocol/lab/report.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  CURVE_PAIRS,
  causesOf,
  GET,
  KEYS,
  lab,
  NOW,
  raw,
  request,
  type Signing,
  STRANGER,
  WELL,
} from './signed-wrongly.ts'

const { P256, P384, P521 } = CURVE_PAIRS
const base = (change: (text: string) => string): Partial<Signing> => ({
  base: (lines, last, signing) => change(String(WELL.base(lines, last, signing))),
})
const SLOW = { timeout: 120_000 }

// biome-ignore format: a table reads by its columns
const PAIRS: readonly (readonly [first: CauseId, second: CauseId, changes: Partial<Signing>])[] = [
  ['authority-port',  'type-charset',  { lines: { '@authority': 'localhost:8443', 'content-type': 'application/json; charset=utf-8' } }],
  ['authority-port',  'lines-newline', { lines: { '@authority': 'localhost:8443' }, ...base(text => `${text}\n`) }],
  ['target-query',    'method-case',   { ...GET, lines: { '@request-target': '/payments/t-1/status', '@method': 'get' } }],
  ['authority-url',   'target-url',    { ...GET, lines: { '@authority': 'https://localhost', '@request-target': 'https://localhost/payments/t-1/status?full=true&b=2' } }],
  ['lines-crlf',      'last-missing',  { ...GET, ...base(text => text.split('\n').slice(0, -1).join('\r\n')) }],
  ['lines-names-bare', 'authority-port', { lines: { '@authority': 'localhost:8443' }, ...base(text => text.replaceAll(/^"([^"]+)"/gm, '$1')) }],
  ['type-charset',    'length-characters', { lines: { 'content-type': 'application/json; charset=utf-8', 'content-length': '87' } }],
  ['authority-port',  'encoding-swapped', { ...GET, lines: { '@authority': 'localhost:8443' }, sign: (text, signing) => swapped(raw(text, signing)) }],
  ['authority-port',  'key-certificate', { ...GET, lines: { '@authority': 'localhost:8443' }, privateKey: STRANGER.privateKey }],
]
const swapped = (bytes: Buffer) => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])

describe('the search', () => {
  test.each(PAIRS)('5.2: two things at once: %s and %s', SLOW, async (first, second, changes) => {
    const keys = KEYS.map(key => (key.use === 'certificate' ? { ...key, publicKey: STRANGER.publicKey } : key))
    const { faults } = await causesOf(changes, { keys })
    expect(faults.sort()).toEqual([first, second].sort())
  })

  test.each([P384, P521])(
    '5.2: works on $algorithm.curve, DER and raw',
    SLOW,
    async ({ keyId, privateKey, algorithm }) => {
      const signing = { keyId, privateKey, hash: algorithm.hash }
      for (const sign of [WELL.sign, raw]) {
        expect(await causesOf({ ...signing, sign })).toEqual({ faults: [], alternatives: [] })
        expect((await causesOf({ ...signing, sign, lines: { '@authority': 'localhost:8443' } })).faults).toEqual([
          'authority-port',
        ])
      }
    },
  )

  test('two causes that yield the same bytes are both told', async () => {
    const { faults, alternatives } = await causesOf({
      host: 'localhost:8443',
      lines: { '@authority': 'localhost:8443/' },
    })
    expect(faults).toEqual(['authority-url'])
    expect(alternatives).toEqual([])
    const same = await causesOf({
      ...GET,
      target: '/payments/search?',
      lines: { '@request-target': '/payments/search' },
    })
    expect([...same.faults, ...same.alternatives].sort()).toEqual(['target-normalised', 'target-query'])
    const report = reportOf(
      await lab(request({ ...GET, target: '/payments/search?', lines: { '@request-target': '/payments/search' } })),
    )
    expect(report.summary).toContain('which would look the same')
  })

  test('the base that was signed is given back byte for byte, with the first difference', async () => {
    const { base: told } = await lab(request({ ...GET, ...base(text => text.replaceAll('\n', '\r\n')) }))
    expect(told.difference).toMatchObject({ line: 1, column: 24, byte: 23, signed: expect.stringMatching(/^␍␊/) })
    expect(told.signed).toBe(told.expected.replaceAll('\n', '\r\n'))
  })

  test(
    '5.2: a key that nobody registered is recognised by two requests, on every curve, and its base with it',
    SLOW,
    async () => {
      for (const { algorithm } of [P256, P384, P521]) {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: algorithm.nodeCurve })
        const signing = { keyId: 'nobody', privateKey, hash: algorithm.hash }
        const found = await lab(request({ ...GET, ...signing }), {
          companions: [request({ ...GET, ...signing, created: NOW + 1 })],
        })
        expect(found.faults.map(({ cause }) => cause)).toEqual(['keyid-unknown', 'key-unregistered'])
        expect(found.key).toMatchObject({
          use: 'unregistered',
          publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
        })
      }
      const wrong = { ...GET, privateKey: STRANGER.privateKey, lines: { '@authority': 'localhost:8443' } }
      const found = await lab(request(wrong), {
        companions: [request({ ...wrong, created: NOW + 1 })],
        budget: { verifications: 2_000, isOver: () => false },
      })
      expect(found.faults.map(({ cause }) => cause)).toEqual(['key-unregistered', 'authority-port'])
    },
  )

  test('two requests by two strangers have no key in common', SLOW, async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const found = await lab(request({ ...GET, privateKey: STRANGER.privateKey }), {
      companions: [request({ ...GET, privateKey: other.privateKey, created: NOW + 1 })],
      budget: { verifications: 500, isOver: () => false },
    })
    expect(found.faults.map(({ cause }) => cause)).toEqual(['not-found'])
  })

  test('a budget of verifications and one of time are kept, and the answer says so', async () => {
    const unknown = request({ privateKey: STRANGER.privateKey })
    const few = await lab(unknown, { budget: { verifications: 100, isOver: () => false } })
    expect(few.search.verifications).toBeLessThanOrEqual(116)
    expect(few.search.isExhausted).toBe(false)
    expect(few.faults.map(({ cause }) => cause)).toEqual(['not-found'])
    const answers = [false, false, false]
    const short = await lab(unknown, { budget: { verifications: 1e9, isOver: () => answers.pop() ?? true } })
    expect(short.search.verifications).toBeLessThanOrEqual(64)
  })

  test('other organizations are never spoken of: only the keys that are handed in are tried', async () => {
    const text = JSON.stringify(
      await lab(request({ ...GET, privateKey: P384.privateKey, hash: 'sha384' }), {
        keys: KEYS.slice(0, 1),
        budget: { verifications: 500, isOver: () => false },
      }),
    )
    expect(text).not.toContain(P384.keyId)
  })
})

describe('the base that a client shows', () => {
  const shown = (changes: Partial<Signing>) => {
    let text = ''
    const signed = request({
      ...changes,
      base: (lines, last, signing) => {
        text = String((changes.base ?? WELL.base)(lines, last, signing))
        return text
      },
    })
    return { signed, base: Buffer.from(text) }
  }

  test('is compared byte for byte, and what is unusual about it is named without a search', async () => {
    const { signed, base: given } = shown({ lines: { '@authority': 'localhost:8443' } })
    const { faults, base: told, search } = await lab(signed, { base: given })
    expect(faults.map(({ cause }) => cause)).toEqual(['authority-port'])
    expect(told).toMatchObject({ source: 'given', difference: { line: 1, column: 24 } })
    expect(search.verifications).toBeLessThan(10)
  })

  test('differs in a way that nobody foresaw: the place is told', async () => {
    const { signed, base: given } = shown(base(text => text.replace('application/json', 'application/jsom')))
    const { faults } = await lab(signed, { base: given })
    expect(faults).toMatchObject([{ cause: 'base-differs', values: { line: '5', column: '32' } }])
  })

  test('is not what was signed: that is said, whether or not the truth is found', async () => {
    const { signed } = shown({ lines: { '@authority': 'localhost:8443' } })
    const { notes, faults } = await lab(signed, { base: Buffer.from('something else') })
    expect(notes.map(({ cause }) => cause)).toEqual(['base-not-signed'])
    expect(faults.map(({ cause }) => cause)).toEqual(['authority-port'])
  })

  test('is right and so is the signature', async () => {
    const { signed, base: given } = shown({})
    expect((await lab(signed, { base: given })).verdict).toBe('verifies')
  })
})

describe('an independent signer', () => {
  test.each([P256, P384, P521])(
    'openssl on $algorithm.curve: right verifies, a line end too many is named',
    async pair => {
      const { keyId, privateKey, algorithm } = pair
      const file = join(temporaryFolder(), 'key.pem')
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const sign = (input: Buffer) =>
        spawnSync('openssl', ['dgst', `-${algorithm.hash}`, '-sign', file], { input }).stdout
      expect(await causesOf({ keyId, sign })).toEqual({ faults: [], alternatives: [] })
      expect((await causesOf({ keyId, sign, ...base(text => `${text}\n`) })).faults).toEqual(['lines-newline'])
    },
  )

  test('the openssl command that the lab shows makes a signature that verifies', async () => {
    const folder = temporaryFolder()
    const asked = request({ lines: { '@authority': 'localhost:8443' } })
    const { correct } = await lab(asked)
    writeFileSync(`${folder}/signing-key.pem`, P256.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { stdout } = spawnSync('bash', ['-c', correct.openssl], { cwd: folder, encoding: 'utf8' })
    const input = /"@signature-params": (.*)$/.exec(correct.base)?.[1] ?? ''
    const headers = asked.headers.filter(([name]) => !/^signature/i.test(name))
    const again = {
      ...asked,
      headers: [
        ...headers,
        ['Signature-Input', `service_sig=${input}`],
        ['Signature', `service_sig=:${stdout.trim()}:`],
      ] as const,
    }
    expect((await lab(again)).verdict).toBe('verifies')
  })

  test('with the private key at hand the headers are made, and verify', async () => {
    const asked = request({ created: NOW - 9_999, lines: { '@authority': '' } })
    const { correct } = await lab(asked, { signerOf: () => P256 })
    const kept = asked.headers.filter(([name]) => !(name.toLowerCase() in (correct.headers ?? {})))
    const again = { ...asked, headers: [...kept, ...Object.entries(correct.headers ?? {})] }
    expect((await lab(again)).verdict).toBe('verifies')
    expect(correct.curl).toContain('curl --cert')
  })
})
