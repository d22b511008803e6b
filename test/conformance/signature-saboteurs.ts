import type { Call } from '../../simulator/http/call.ts'
import { at, headerOf, instead, onTheWire, saying, turningAway } from './break.ts'
import type { Saboteur } from './sabotage.ts'

/** Signatures of this many bytes, as DER writes them: about 71 on P-256, 103 on P-384, 138 on P-521. */
const signedWith =
  (least: number, most: number) =>
  (call: Call): boolean => {
    const length = (headerOf(call, 'signature').split(':')[1]?.length ?? 0) * 0.75
    return length > least && length < most
  }

const digestIs = (name: string) => (call: Call) => headerOf(call, 'content-digest').startsWith(name)
const isStatus = at('status')

/** What fetches a token once another one was served, and what reads a status as merchants do. */
const EVERY_TOKEN = 'SIG-01 SIG-19 SIG-23 SIG-24 SIG-39'.split(' ')
const EVERY_STATUS =
  'IRS-04 IRS-05 LIF-01 LIF-02 LIF-03 LIF-09 MCK-22 MTLS-01 RDS-01 RDS-08 RSP-01 SCP-08 SIG-21 TOK-16 TOK-19 VER-01 VER-02'.split(
    ' ',
  )

// biome-ignore format: a table reads by its columns
export const SIGNATURE_SABOTEURS: readonly Saboteur[] = [
  { does: 'knows no P-256',                          caughtBy: EVERY_TOKEN, stopsOthers: true, sabotage: turningAway(signedWith(50, 90), 'SIGNATURE_REFUSED') },
  { does: 'knows no P-384',                          caughtBy: ['SIG-02'], sabotage: turningAway(signedWith(90, 120), 'SIGNATURE_REFUSED') },
  { does: 'knows no P-521',                          caughtBy: ['SIG-03'], sabotage: turningAway(signedWith(120, 150), 'SIGNATURE_REFUSED') },
  { does: 'trips over a charset',                    caughtBy: ['SIG-19'], sabotage: turningAway(call => headerOf(call, 'content-type').includes('charset'), 'SIGNATURE_REFUSED') },
  { does: 'wants a digest with a GET',               caughtBy: EVERY_STATUS, sabotage: turningAway(call => isStatus(call) && headerOf(call, 'content-digest') === '', 'SIGNATURE_REFUSED') },
  { does: 'knows no sha-384 digest',                 caughtBy: ['SIG-23'], sabotage: turningAway(digestIs('sha-384'), 'DIGEST_REFUSED') },
  { does: 'knows no sha-512 digest',                 caughtBy: ['SIG-24'], sabotage: turningAway(digestIs('sha-512'), 'DIGEST_REFUSED') },
  { does: 'cares for the case of a host',            caughtBy: ['SIG-39'], sabotage: turningAway(call => headerOf(call, 'host') !== headerOf(call, 'host').toLowerCase(), 'SIGNATURE_REFUSED') },
  { does: 'signs no success',                        caughtBy: ['RSP-01'], sabotage: onTheWire(headers => headers.delete('signature') as undefined) },
  { does: 'digests its answers by sha-256',          caughtBy: ['RSP-02', 'RSP-05', 'RSP-07', 'RSP-09', 'RSP-10'], sabotage: onTheWire(headers => headers.set('content-digest', headers.get('content-digest')?.replace('sha-512', 'sha-256') ?? '') as undefined) },
  { does: 'changes an answer after its digest',      caughtBy: ['RSP-02', 'RSP-09'], sabotage: onTheWire((headers, body) => { headers.delete('content-length'); return `${body} ` }, (call, status) => isStatus(call) && status < 300) },
  { does: 'signs no refusal',                        caughtBy: ['RSP-06'], sabotage: onTheWire(headers => headers.delete('signature') as undefined, (_call, status) => status >= 400) },
  { does: 'signs no token',                          caughtBy: ['RSP-07'], sabotage: onTheWire(headers => headers.delete('signature') as undefined, at('/auth/token')) },
  { does: 'hands out its keys as a bare list',       caughtBy: ['EVT-03', 'RSP-02', 'RSP-04', 'RSP-06', 'RSP-07', 'RSP-08', 'RSP-10'], sabotage: instead(at('/.well-known/jwks.json'), ({ http, body }) => ({ http, body: JSON.stringify(JSON.parse(body).keys) })) },
  { does: 'calls a broken signature a matter of the customer', caughtBy: ['ERR-06', 'SIG-07', 'TOK-15'], sabotage: instead((call, { http, body }) => http === 401 && body.includes('4992') && at('/auth/token')(call), saying(401, '2992')) },
]
