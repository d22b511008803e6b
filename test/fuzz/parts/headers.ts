import fc from 'fast-check'
import { type Message, render, withHeader } from '../../wire/message.ts'
import { apiFaultOf } from '../api-answer.ts'
import { nearly } from '../edited-text.ts'
import { REQUESTS, TARGETS } from '../good-requests.ts'
import { part } from '../part.ts'

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

const changed = (message: Message, { name, value, how, at, drop }: Change): Message => {
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

/** Headers of calls over TLS with certificate, signature and token: each may be gone, doubled, edited, another one. */
export const headers = part<Input>({
  name: 'headers',
  sends: 'requests with certificate, token and signature, some headers changed',
  inputs: fc.record({
    request: fc.nat(REQUESTS.length + TARGETS.length - 1),
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  }),
  covers: [
    'simulator/http/layers/*.ts',
    'simulator/http/{presented-certificate,tokens,unreadable}.ts',
    'contracts/protocol/{verify-request,verify,signature-base}.ts',
  ],
  few: 40,
  open: async house => {
    const sandbox = await house.guarded()
    return async ({ request, changes }) => {
      const message = await sandbox.sign(REQUESTS[request] ?? { target: TARGETS[request - REQUESTS.length] ?? '/' })
      const answer = await sandbox.send(render(changes.reduce(changed, message)))
      return apiFaultOf(answer, sandbox)
    }
  },
})
