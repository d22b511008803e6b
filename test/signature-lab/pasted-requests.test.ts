import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDiagnosisReport } from '../../contracts/protocol/signature-lab/diagnosis-report.ts'
import { type LabRequest, readHeaderValue } from '../../contracts/protocol/signature-lab/lab-request.ts'
import { PASTE_PROBLEMS, readBase, readRequest } from '../../contracts/protocol/signature-lab/read-pasted-request.ts'
import { propertyRuns } from '../properties/property-run-counts.ts'
import { diagnoseWithKeys, REGISTERED_KEYS } from './diagnose-signed-requests.ts'
import { BODY, GET_SIGNING, NOW, signedRequest, toHttpText } from './sign-requests-with-mistakes.ts'

const asked = signedRequest()
const headers = Object.fromEntries(asked.headers)
const body = BODY
const head = (prefix: string) =>
  [
    `${prefix}POST ${asked.target} HTTP/1.1`,
    ...asked.headers.map(([name, value]) => `${prefix}${name}: ${value}`),
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const curl = [
  `curl -v -X POST ${quoted(`https://localhost:8443${asked.target}`)}`,
  ...asked.headers
    .filter(([name]) => name !== 'Content-Length')
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  `--data-binary ${quoted(body)}`,
].join(' \\\n  ')

const entry = {
  callId: 'c-1',
  at: new Date(NOW * 1000).toISOString(),
  request: { method: 'POST', target: asked.target, headers, body },
}
const har = {
  startedDateTime: entry.at,
  request: {
    method: 'POST',
    url: `https://localhost:8443${asked.target}`,
    headers: asked.headers.map(([name, value]) => ({ name, value })),
    postData: { mimeType: 'application/json', text: body },
  },
}

// biome-ignore format: a table reads by its columns
const PASTES: readonly (readonly [name: string, text: string | Buffer])[] = [
  ['raw HTTP',                        toHttpText(asked)],
  ['raw HTTP with line feeds only',   `${head('')}\n\n${body}`],
  ['raw HTTP as a form sends it',     `${head('')}\n\n${body}`.replaceAll('\n', '\r\n')],
  ['a file that ends with a line end', `${head('')}\n\n${body}\n`],
  ['a byte order mark in front',      `\uFEFF${head('')}\n\n${body}`],
  ['HTTP/2 pseudo headers',           `POST ${asked.target}\n:authority: ${headers.Host}\n${head('').split('\n').slice(2).join('\n')}\n\n${body}`],
  ['a folded header',                 `${head('').replace('" "content-type', '"\n "content-type')}\n\n${body}`],
  ['a curl command',                  curl],
  ['curl -v after its command',       `$ ${curl}\n* Connected\n${head('> ')}\n> \n< HTTP/1.1 401 Unauthorized\n< date: ${new Date(NOW * 1000).toUTCString()}\n< \n{"status":"DECLINED"}`],
  ['a call of the journal',           JSON.stringify(entry)],
  ['calls of the journal',            JSON.stringify({ calls: [{ request: { method: 'GET', target: '/', headers: {}, body: '' } }, entry] })],
  ['an entry of a HAR file',          JSON.stringify(har)],
  ['a HAR file',                      JSON.stringify({ log: { entries: [har] } })],
  ['any object',                      JSON.stringify({ method: 'POST', url: `https://localhost:8443${asked.target}`, headers, bodyBase64: Buffer.from(body).toString('base64') })],
]

const read = (pasted: string | Uint8Array): LabRequest => {
  const found = readRequest(pasted)
  if ('problem' in found) throw new Error(PASTE_PROBLEMS[found.problem])
  return found.request
}

describe('pasted formats', () => {
  test.each(PASTES)('%s', async (_, text) => {
    const found = read(text)
    expect(found).toMatchObject({ method: 'POST', target: asked.target })
    expect(Buffer.from(found.body).toString()).toBe(body)
    const { faults, verdict } = await diagnoseWithKeys(found)
    expect({ verdict, faults }).toEqual({ verdict: 'verifies', faults: [] })
  })

  test('curl -v output has no body: the digest is not judged, the signature is', async () => {
    const found = read(`${head('> ')}\n> \n* upload completely sent off`)
    expect(found.bodyIsPartial).toBe(true)
    const { verdict, verificationSteps } = await diagnoseWithKeys(found)
    expect(verdict).toBe('verifies')
    expect(verificationSteps.find(({ step }) => step === 'digest')?.state).toBe('unjudged')
  })

  test.each(['"paymentToken":"***"', '"a":"b…'])('a masked or truncated body is not judged: %s', text => {
    expect(read(JSON.stringify({ ...entry, request: { ...entry.request, body: text } })).bodyIsPartial).toBe(true)
  })

  test('a binary body is read unchanged', () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 0x0a, 0x80])
    expect(read(Buffer.concat([Buffer.from('POST /x HTTP/1.1\r\nContent-Length: 5\r\n\r\n'), bytes])).body).toEqual(
      bytes,
    )
  })

  test('an absolute URL replaces a missing Host', () => {
    const found = read('GET https://api.shop.test:8443/payments?x=1 HTTP/1.1\nAccept: */*\n\n')
    expect(found.target).toBe('/payments?x=1')
    expect(readHeaderValue(found, 'host')).toBe('api.shop.test:8443')
  })

  test.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['good morning', 'noRequestLine'],
    ['Signature: service_sig=:AA==:', 'noRequestLine'],
    ['{"a":', 'brokenJson'],
    ['{"a":1}', 'json'],
    ['[]', 'json'],
    ['null', 'noRequestLine'],
    ['curl --help', 'curl'],
    ['x'.repeat(4 * 1024 * 1024 + 1), 'tooLong'],
  ] as const)('%#: what is no request is told why not', (text, problem) => {
    expect(readRequest(text)).toEqual({ problem })
    expect(PASTE_PROBLEMS[problem]).toMatch(/: .*\.$/)
  })

  test('a signature base may be a JSON string, which keeps line ends', () => {
    expect(readBase(Buffer.from('"a\\r\\nb"')).toString()).toBe('a\r\nb')
    expect(readBase(Buffer.from('"@authority": x\n"y": "z"')).toString()).toBe('"@authority": x\n"y": "z"')
  })
})

describe('arbitrary input', () => {
  const budget = { verifications: 40, isOver: () => false }
  const sentence = /^\S.*[.…)]$/s

  test('any pasted text gives a diagnosis or a one-sentence error, never an exception', async () => {
    const pieces = fc.constantFrom(
      'POST',
      ' ',
      '/',
      '\n',
      '\r\n',
      ':',
      ';',
      '=',
      '"',
      '(',
      ')',
      'Signature',
      'Signature-Input',
      'service_sig',
      'keyid',
      'created',
      '{',
      '}',
      '"request"',
      'curl',
      '> ',
      '\0',
      'é',
    )
    const paste = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(pieces).map(parts => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(paste, async text => {
        const found = readRequest(text)
        if ('problem' in found) expect(PASTE_PROBLEMS[found.problem]).toMatch(sentence)
        else expect(toDiagnosisReport(await diagnoseWithKeys(found.request, { budget })).summary).toMatch(sentence)
      }),
      propertyRuns(100),
    )
  })

  test('any values of the signature headers, digest, host and body', async () => {
    const odd = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('service_sig=:AAAA:', 'service_sig=("@authority");keyid="key-P-256";created=1'),
    )
    const anything = fc.record({
      input: odd,
      signature: odd,
      digest: odd,
      host: odd,
      body: fc.uint8Array(),
      target: odd,
    })
    await fc.assert(
      fc.asyncProperty(anything, async ({ input, signature, digest, host, body, target }) => {
        const headers = { Host: host, 'Signature-Input': input, Signature: signature, 'Content-Digest': digest }
        const { verificationSteps } = await diagnoseWithKeys(
          { method: 'POST', target, headers: Object.entries(headers), body },
          { budget },
        )
        expect(verificationSteps).toHaveLength(11)
      }),
      propertyRuns(100),
    )
  })

  test('a request with one changed octet never verifies, unless the octet is not signed', async () => {
    const good = signedRequest(GET_SIGNING)
    const text = toHttpText(good).toString()
    const signed = text.indexOf('Signature-Input')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: signed + 17, max: text.length - 6 }),
        fc.integer({ min: 33, max: 126 }),
        async (at, code) => {
          const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
          const found = readRequest(changed)
          if (changed === text || 'problem' in found) return
          const { verdict, faults } = await diagnoseWithKeys(found.request, {
            budget,
            keys: REGISTERED_KEYS.slice(0, 1),
          })
          if (verdict === 'verifies')
            expect(readHeaderValue(found.request, 'signature')).toBe(readHeaderValue(good, 'signature'))
          else expect(faults.length).toBeGreaterThan(0)
        },
      ),
      propertyRuns(100),
    )
  })
})
