import fc from 'fast-check'
import { type RawRequest, serializeRequest, withHeader } from '../../support/create-signed-raw-request.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { apiResponseProblem } from '../response-checks.ts'
import { BODYLESS_TARGETS, VALID_REQUESTS } from '../seed-api-requests.ts'

/** One header of a request that is signed already: put in front, behind, or in the place of what it was. */
type Change = { name: string; value: string; how: 'instead' | 'edited' | 'too' | 'gone'; at: number; drop: number }
type Input = { request: number; changes: Change[] }

const NAMES = [
  ...[
    'Host',
    'Authorization',
    'Idempotency-Key',
    'Content-Type',
    'Signature-Input',
    'Signature',
    'Content-Digest',
    'Service-Version',
  ],
  ...[
    'Client-Cert',
    'Expect',
    'Connection',
    'Accept',
    'Accept-Encoding',
    'Cookie',
    'Origin',
    'Upgrade',
    'X-Forwarded-For',
    'Forwarded',
    '__proto__',
    'constructor',
  ],
]

const VALUES = [
  'Bearer a.b.c',
  'Basic eDp5',
  'application/json; charset=utf-8',
  'localhost:8443',
  '[::1]:1',
  '1.0',
  '100-continue',
  'service_sig=("@method" "@authority" "@request-target");keyid="k";created=1767614400',
  'service_sig=:AAAA:',
  'sha-256=:AAAA:',
  ':MIIB:',
  'a=b; c=d',
]

const clean = (text: string): string => text.replaceAll(/[^\t -~\x80-\xff]/g, '')

const change = fc.record({
  name: fc.constantFrom(...NAMES),
  value: nearly(VALUES, ['service_sig=', ';created=', '"@method"', ':AAAA:', 'Bearer '], 6_000).map(clean),
  how: fc.constantFrom('instead', 'edited', 'too', 'gone'),
  at: fc.nat(0xfff),
  drop: fc.nat(8),
})

const changed = (message: RawRequest, { name, value, how, at, drop }: Change): RawRequest => {
  const was = message.headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? ''
  if (how === 'gone') return withHeader(message, name)
  if (how === 'too') return withHeader(message, name, was, value)
  const place = at % (was.length + 1)
  return withHeader(
    message,
    name,
    how === 'instead' ? value : was.slice(0, place) + value.slice(0, 60) + was.slice(place + drop),
  )
}

/** Fuzz target: headers of fully secured calls; each may be missing, doubled, edited or replaced. */
export const requestHeaders = fuzzTarget<Input>({
  name: 'headers',
  sends: 'requests with certificate, token and signature, some headers changed',
  inputs: fc.record({
    request: fc.nat(VALID_REQUESTS.length + BODYLESS_TARGETS.length - 1),
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  }),
  covers: [
    'simulator/http/layers/*.ts',
    'simulator/http/client-certificate-from-tls-or-proxy.ts',
    'simulator/http/access-tokens.ts',
    'simulator/http/respond-to-malformed-http.ts',
    'contracts/protocol/verify-request.ts',
    'contracts/protocol/match-signature-dialect.ts',
    'contracts/protocol/signature-base.ts',
  ],
  few: 40,
  open: async fixture => {
    const sandbox = await fixture.guarded()
    return async ({ request, changes }) => {
      const message = await sandbox.sign(
        VALID_REQUESTS[request] ?? { target: BODYLESS_TARGETS[request - VALID_REQUESTS.length] ?? '/' },
      )
      const answer = await sandbox.send(serializeRequest(changes.reduce(changed, message)))
      return apiResponseProblem(answer, sandbox)
    }
  },
})
