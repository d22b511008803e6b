import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toDiagnosisReport } from '../../contracts/protocol/signature-lab/diagnosis-report.ts'
import type { CauseId } from '../../contracts/protocol/signature-lab/signature-error-causes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { causesOf, diagnoseWithKeys, REGISTERED_KEYS } from './diagnose-signed-requests.ts'
import {
  CORRECT_SIGNING,
  CURVE_PAIRS,
  GET_SIGNING,
  NOW,
  type SigningChoices,
  signedRequest,
  signRaw,
  UNREGISTERED_KEY_PAIR,
} from './sign-requests-with-mistakes.ts'

const { P256, P384, P521 } = CURVE_PAIRS
const base = (change: (text: string) => string): Partial<SigningChoices> => ({
  base: (lines, last, signing) => change(String(CORRECT_SIGNING.base(lines, last, signing))),
})
const SLOW = { timeout: 120_000 }

// biome-ignore format: a table reads by its columns
const PAIRS: readonly (readonly [first: CauseId, second: CauseId, changes: Partial<SigningChoices>])[] = [
  ['authority-port',  'type-charset',  { lines: { '@authority': 'localhost:8443', 'content-type': 'application/json; charset=utf-8' } }],
  ['authority-port',  'lines-newline', { lines: { '@authority': 'localhost:8443' }, ...base(text => `${text}\n`) }],
  ['target-query',    'method-case',   { ...GET_SIGNING, lines: { '@request-target': '/payments/t-1/status', '@method': 'get' } }],
  ['authority-url',   'target-url',    { ...GET_SIGNING, lines: { '@authority': 'https://localhost', '@request-target': 'https://localhost/payments/t-1/status?full=true&b=2' } }],
  ['lines-crlf',      'last-missing',  { ...GET_SIGNING, ...base(text => text.split('\n').slice(0, -1).join('\r\n')) }],
  ['lines-names-bare', 'authority-port', { lines: { '@authority': 'localhost:8443' }, ...base(text => text.replaceAll(/^"([^"]+)"/gm, '$1')) }],
  ['type-charset',    'length-characters', { lines: { 'content-type': 'application/json; charset=utf-8', 'content-length': '87' } }],
  ['authority-port',  'encoding-swapped', { ...GET_SIGNING, lines: { '@authority': 'localhost:8443' }, sign: (text, signing) => swapped(signRaw(text, signing)) }],
  ['authority-port',  'key-certificate', { ...GET_SIGNING, lines: { '@authority': 'localhost:8443' }, privateKey: UNREGISTERED_KEY_PAIR.privateKey }],
]
const swapped = (bytes: Buffer) => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])

describe('the search', () => {
  test.each(PAIRS)('5.2: finds two deviations at once: %s and %s', SLOW, async (first, second, changes) => {
    const keys = REGISTERED_KEYS.map(key =>
      key.use === 'certificate' ? { ...key, publicKey: UNREGISTERED_KEY_PAIR.publicKey } : key,
    )
    const { faults } = await causesOf(changes, { keys })
    expect(faults.sort()).toEqual([first, second].sort())
  })

  test.each([P384, P521])(
    '5.2: works on $algorithm.curve, DER and raw',
    SLOW,
    async ({ keyId, privateKey, algorithm }) => {
      const signing = { keyId, privateKey, hash: algorithm.hash }
      for (const sign of [CORRECT_SIGNING.sign, signRaw]) {
        expect(await causesOf({ ...signing, sign })).toEqual({ faults: [], alternatives: [] })
        expect((await causesOf({ ...signing, sign, lines: { '@authority': 'localhost:8443' } })).faults).toEqual([
          'authority-port',
        ])
      }
    },
  )

  test('two causes with the same bytes are both reported', async () => {
    const { faults, alternatives } = await causesOf({
      host: 'localhost:8443',
      lines: { '@authority': 'localhost:8443/' },
    })
    expect(faults).toEqual(['authority-url'])
    expect(alternatives).toEqual([])
    const same = await causesOf({
      ...GET_SIGNING,
      target: '/payments/search?',
      lines: { '@request-target': '/payments/search' },
    })
    expect([...same.faults, ...same.alternatives].sort()).toEqual(['target-normalised', 'target-query'])
    const report = toDiagnosisReport(
      await diagnoseWithKeys(
        signedRequest({
          ...GET_SIGNING,
          target: '/payments/search?',
          lines: { '@request-target': '/payments/search' },
        }),
      ),
    )
    expect(report.summary).toContain('which would look the same')
  })

  test('the signed base is reconstructed byte for byte, with the first difference', async () => {
    const { base: told } = await diagnoseWithKeys(
      signedRequest({ ...GET_SIGNING, ...base(text => text.replaceAll('\n', '\r\n')) }),
    )
    expect(told.difference).toMatchObject({ line: 1, column: 24, byte: 23, signed: expect.stringMatching(/^␍␊/) })
    expect(told.signed).toBe(told.expected.replaceAll('\n', '\r\n'))
  })

  test('5.2: an unregistered key is recovered from two requests, on every curve, with its base', SLOW, async () => {
    for (const { algorithm } of [P256, P384, P521]) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: algorithm.nodeCurve })
      const signing = { keyId: 'nobody', privateKey, hash: algorithm.hash }
      const found = await diagnoseWithKeys(signedRequest({ ...GET_SIGNING, ...signing }), {
        companions: [signedRequest({ ...GET_SIGNING, ...signing, created: NOW + 1 })],
      })
      expect(found.faults.map(({ cause }) => cause)).toEqual(['keyid-unknown', 'key-unregistered'])
      expect(found.key).toMatchObject({
        use: 'unregistered',
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
      })
    }
    const wrong = {
      ...GET_SIGNING,
      privateKey: UNREGISTERED_KEY_PAIR.privateKey,
      lines: { '@authority': 'localhost:8443' },
    }
    const found = await diagnoseWithKeys(signedRequest(wrong), {
      companions: [signedRequest({ ...wrong, created: NOW + 1 })],
      budget: { verifications: 2_000, isOver: () => false },
    })
    expect(found.faults.map(({ cause }) => cause)).toEqual(['key-unregistered', 'authority-port'])
  })

  test('two requests with different unregistered keys have no common key', SLOW, async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const found = await diagnoseWithKeys(
      signedRequest({ ...GET_SIGNING, privateKey: UNREGISTERED_KEY_PAIR.privateKey }),
      {
        companions: [signedRequest({ ...GET_SIGNING, privateKey: other.privateKey, created: NOW + 1 })],
        budget: { verifications: 500, isOver: () => false },
      },
    )
    expect(found.faults.map(({ cause }) => cause)).toEqual(['not-found'])
  })

  test('the search keeps its budgets of verifications and time, and reports when it stops', async () => {
    const unknown = signedRequest({ privateKey: UNREGISTERED_KEY_PAIR.privateKey })
    const few = await diagnoseWithKeys(unknown, { budget: { verifications: 100, isOver: () => false } })
    expect(few.search.verifications).toBeLessThanOrEqual(116)
    expect(few.search.isExhausted).toBe(false)
    expect(few.faults.map(({ cause }) => cause)).toEqual(['not-found'])
    const answers = [false, false, false]
    const short = await diagnoseWithKeys(unknown, {
      budget: { verifications: 1e9, isOver: () => answers.pop() ?? true },
    })
    expect(short.search.verifications).toBeLessThanOrEqual(64)
  })

  test('only the given keys are tried', async () => {
    const text = JSON.stringify(
      await diagnoseWithKeys(signedRequest({ ...GET_SIGNING, privateKey: P384.privateKey, hash: 'sha384' }), {
        keys: REGISTERED_KEYS.slice(0, 1),
        budget: { verifications: 500, isOver: () => false },
      }),
    )
    expect(text).not.toContain(P384.keyId)
  })
})

describe('a client’s signature base', () => {
  const shown = (changes: Partial<SigningChoices>) => {
    let text = ''
    const signed = signedRequest({
      ...changes,
      base: (lines, last, signing) => {
        text = String((changes.base ?? CORRECT_SIGNING.base)(lines, last, signing))
        return text
      },
    })
    return { signed, base: Buffer.from(text) }
  }

  test('is compared byte for byte, and its deviations are named without a search', async () => {
    const { signed, base: given } = shown({ lines: { '@authority': 'localhost:8443' } })
    const { faults, base: told, search } = await diagnoseWithKeys(signed, { base: given })
    expect(faults.map(({ cause }) => cause)).toEqual(['authority-port'])
    expect(told).toMatchObject({ source: 'given', difference: { line: 1, column: 24 } })
    expect(search.verifications).toBeLessThan(10)
  })

  test('with an unknown deviation is reported by its position', async () => {
    const { signed, base: given } = shown(base(text => text.replace('application/json', 'application/jsom')))
    const { faults } = await diagnoseWithKeys(signed, { base: given })
    expect(faults).toMatchObject([{ cause: 'base-differs', values: { line: '5', column: '32' } }])
  })

  test('that was not signed is reported as such, whether or not the signed base is found', async () => {
    const { signed } = shown({ lines: { '@authority': 'localhost:8443' } })
    const { notes, faults } = await diagnoseWithKeys(signed, { base: Buffer.from('something else') })
    expect(notes.map(({ cause }) => cause)).toEqual(['base-not-signed'])
    expect(faults.map(({ cause }) => cause)).toEqual(['authority-port'])
  })

  test('and signature that are correct verify', async () => {
    const { signed, base: given } = shown({})
    expect((await diagnoseWithKeys(signed, { base: given })).verdict).toBe('verifies')
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

  test('the openssl command of the lab makes a signature that verifies', async () => {
    const folder = temporaryFolder()
    const asked = signedRequest({ lines: { '@authority': 'localhost:8443' } })
    const { correct } = await diagnoseWithKeys(asked)
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
    expect((await diagnoseWithKeys(again)).verdict).toBe('verifies')
  })

  test('with the private key the lab makes headers that verify', async () => {
    const asked = signedRequest({ created: NOW - 9_999, lines: { '@authority': '' } })
    const { correct } = await diagnoseWithKeys(asked, { signerOf: () => P256 })
    const kept = asked.headers.filter(([name]) => !(name.toLowerCase() in (correct.headers ?? {})))
    const again = { ...asked, headers: [...kept, ...Object.entries(correct.headers ?? {})] }
    expect((await diagnoseWithKeys(again)).verdict).toBe('verifies')
    expect(correct.curl).toContain('curl --cert')
  })
})
