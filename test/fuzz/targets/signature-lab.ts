import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import { signRequest } from '../../../contracts/protocol/sign-messages.ts'
import { algorithmNamed } from '../../../contracts/protocol/signature-algorithms.ts'
import { diagnoseRequest } from '../../../contracts/protocol/signature-lab/diagnose-request.ts'
import { toDiagnosisReport } from '../../../contracts/protocol/signature-lab/diagnosis-report.ts'
import { readBase, readRequest } from '../../../contracts/protocol/signature-lab/read-pasted-request.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'

type Input = { request: string; base: string }

const PAIR = newKeyPair()
const KEYS = [
  {
    name: 'k-1',
    use: 'signing' as const,
    algorithm: algorithmNamed('ECDSA_SHA_256'),
    publicKey: createPublicKey(PAIR.pem),
  },
]

const BODY = '{"amount": 1999}'
const CREATED = 1_767_614_400
const signatureHeaders = await signRequest(
  {
    method: 'POST',
    target: '/payments/capture',
    host: 'localhost',
    body: Buffer.from(BODY),
    contentType: 'application/json',
  },
  PAIR.signingKey('k-1'),
  { created: CREATED },
)
const HEADERS = { Host: 'localhost', 'Content-Type': 'application/json', ...signatureHeaders }
const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`)

const TEXTS = [
  `POST /payments/capture HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${BODY}`,
  `curl -X POST https://localhost:8443/payments/capture ${lines.map(line => `-H '${line}'`).join(' \\\n  ')} --data-raw '${BODY}'`,
  `$ curl -v https://localhost/payments/capture -d '${BODY}'\n* Connected\n> POST /payments/capture HTTP/1.1\n${lines.map(line => `> ${line}`).join('\n')}\n>\n< HTTP/1.1 401\n< date: Mon, 05 Jan 2026 12:00:00 GMT\n{}`,
]
const CALL = {
  request: { method: 'POST', target: '/payments/capture', headers: HEADERS, body: BODY },
  at: '2026-01-05T12:00:00Z',
}
const HAR = {
  log: {
    entries: [
      {
        startedDateTime: CALL.at,
        request: {
          method: 'POST',
          url: 'https://localhost/payments/capture',
          headers: Object.entries(HEADERS).map(([name, value]) => ({ name, value })),
          postData: { text: BODY },
        },
      },
    ],
  },
}

const PIECES = [
  ...[
    '\r\n\r\n',
    '\n\n',
    '\n> ',
    '\n< ',
    '> GET / ',
    'curl ',
    "-H '",
    '--data ',
    "$'",
    '\\\n',
    'POST / HTTP/1.1\n',
    'Content-Length: 1\n',
    'Signature: ',
    'Signature-Input: ',
  ],
  ...[
    'service_sig=',
    '("@method")',
    ';created=1',
    ';keyid="k-1"',
    ':AAAA:',
    ', ',
    ',',
    '“',
    '…',
    '"***"',
    '%41',
    '-_',
    'Content-Digest: sha-256=:AAAA:\n',
    'https://',
    '\n ',
    '@file',
  ],
]

/** Fuzz target: text pasted into the signature lab; always a diagnosis, never an exception. */
export const signatureLab = fuzzTarget<Input>({
  name: 'lab',
  sends: 'pasted requests: HTTP, curl, HAR, journal, and a base',
  inputs: fc.record({
    request: fc.oneof(
      { weight: 2, arbitrary: nearly(TEXTS, PIECES, 60_000) },
      { weight: 1, arbitrary: editedJson([CALL, HAR, { calls: [CALL] }]) },
    ),
    base: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      nearly(['"@method": POST\n"@signature-params": ("@method");keyid="k-1"', '"a\\nb"'], PIECES, 2_000),
    ),
  }),
  covers: ['contracts/protocol/signature-lab/*.ts'],
  guided: ['request', 'base'],
  few: 60,
  open:
    async () =>
    async ({ request, base }) => {
      const read = readRequest(request)
      if ('problem' in read) return undefined
      const diagnosis = await diagnoseRequest({
        request: read.request,
        keys: KEYS,
        dialect: { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] },
        now: CREATED,
        maxAge: 300,
        maxAhead: 60,
        budget: { verifications: 200, isOver: () => false },
        signerOf: () => PAIR.signingKey('k-1'),
        ...(base === '' ? {} : { base: readBase(Buffer.from(base)) }),
      })
      const { verdict } = toDiagnosisReport(diagnosis)
      return ['verifies', 'refused'].includes(verdict) ? undefined : `the verdict is ${verdict}`
    },
})
