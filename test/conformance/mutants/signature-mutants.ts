import type { OperationName } from '../../../contracts/operations.ts'
import type { ApiCall } from '../../../simulator/http/api-call.ts'
import { unsignedBodies } from '../conformant-variations.ts'
import { CALLER, forgiveSignature } from './grid-layer-mutations.ts'
import type { Mutant } from './mutant.ts'
import {
  isCallTo,
  mutateSignedResponse,
  refuseCalls,
  replaceReplies,
  requestHeader,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'

/** Signatures of this many bytes, as DER writes them: about 71 on P-256, 103 on P-384, 138 on P-521. */
const signedWith =
  (least: number, most: number) =>
  (call: ApiCall): boolean => {
    const length = (requestHeader(call, 'signature').split(':')[1]?.length ?? 0) * 0.75
    return length > least && length < most
  }

const digestIs = (name: string) => (call: ApiCall) => requestHeader(call, 'content-digest').startsWith(name)
const isStatus = isCallTo('status')
const onSearch = (isMeant: (call: ApiCall) => boolean, refusal: Parameters<typeof refuseCalls>[1]) =>
  refuseCalls(call => isCallTo('search')(call) && isMeant(call), refusal)

const forgiveListWithout = (operation: OperationName, component: string) =>
  forgiveSignature(operation, new RegExp(`^The component list is (?!.*"${component}".*, expected)`))

/** What fetches a token once another one was served, and what reads a status as merchants do. */
const EVERY_TOKEN = 'SIG-01 SIG-19 SIG-23 SIG-24 SIG-39'.split(' ')
const EVERY_STATUS =
  'BLK-01 BLK-02 BLK-03 BLK-05 BLK-07 BLK-08 IRS-03 IRS-04 IRS-05 IRS-07 LIF-01 LIF-02 LIF-03 LIF-09 MAP-15 MAP-16 MAP-18 MCK-22 MTLS-01 RDS-01 RDS-08 RSP-01 SCP-08 SIG-21 TOK-16 VER-01 VER-02'.split(
    ' ',
  )

// biome-ignore format: a table reads by its columns
export const SIGNATURE_MUTANTS: readonly Mutant[] = [
  { does: 'refuses P-256 signatures',                          caughtBy: EVERY_TOKEN, stopsOthers: true, mutation: refuseCalls(signedWith(50, 90), 'SIGNATURE_REFUSED') },
  { does: 'refuses P-384 signatures',                          caughtBy: ['SIG-02', 'SIG-52'], mutation: refuseCalls(signedWith(90, 120), 'SIGNATURE_REFUSED') },
  { does: 'refuses P-521 signatures',                          caughtBy: ['SIG-03', 'SIG-53'], mutation: refuseCalls(signedWith(120, 150), 'SIGNATURE_REFUSED') },
  { does: 'refuses a charset in Content-Type',                    caughtBy: ['SIG-19', 'SIG-56'], mutation: refuseCalls(call => requestHeader(call, 'content-type').includes('charset'), 'SIGNATURE_REFUSED') },
  { does: 'requires a digest on GET',               caughtBy: EVERY_STATUS, stopsOthers: true, mutation: refuseCalls(call => isStatus(call) && requestHeader(call, 'content-digest') === '', 'SIGNATURE_REFUSED') },
  { does: 'refuses sha-384 digests',                 caughtBy: ['SIG-23', 'SIG-54'], mutation: refuseCalls(digestIs('sha-384'), 'DIGEST_REFUSED') },
  { does: 'refuses sha-512 digests',                 caughtBy: ['SIG-24', 'SIG-55'], mutation: refuseCalls(digestIs('sha-512'), 'DIGEST_REFUSED') },
  { does: 'refuses P-384 signatures on a search',     caughtBy: ['SIG-52'], mutation: onSearch(signedWith(90, 120), 'SIGNATURE_REFUSED') },
  { does: 'refuses P-521 signatures on a search',     caughtBy: ['SIG-53'], mutation: onSearch(signedWith(120, 150), 'SIGNATURE_REFUSED') },
  { does: 'refuses sha-384 digests on a search',      caughtBy: ['SIG-54'], mutation: onSearch(digestIs('sha-384'), 'DIGEST_REFUSED') },
  { does: 'refuses sha-512 digests on a search',      caughtBy: ['SIG-55'], mutation: onSearch(digestIs('sha-512'), 'DIGEST_REFUSED') },
  { does: 'refuses a charset on a search',            caughtBy: ['SIG-56'], mutation: onSearch(call => requestHeader(call, 'content-type').includes('charset'), 'SIGNATURE_REFUSED') },
  { does: 'refuses a media type in capitals',         caughtBy: ['SIG-57'], mutation: refuseCalls(call => /[A-Z]/.test(requestHeader(call, 'content-type')), 'SIGNATURE_REFUSED') },
  { does: 'compares no sha-384 digest with a search', caughtBy: ['SIG-58'], mutation: forgiveSignature('search', /^Content-Digest sha-384 does not match/) },
  { does: 'compares no sha-512 digest with a search', caughtBy: ['SIG-59'], mutation: forgiveSignature('search', /^Content-Digest sha-512 does not match/) },
  { does: 'compares no sha-384 digest with the body',                 caughtBy: ['SIG-44'], mutation: forgiveSignature('token', /^Content-Digest sha-384 does not match/) },
  { does: 'compares no sha-512 digest with the body',                 caughtBy: ['SIG-45'], mutation: forgiveSignature('token', /^Content-Digest sha-512 does not match/) },
  { does: 'accepts signatures that do not cover the host',           caughtBy: ['SIG-46'], mutation: forgiveListWithout('token', '@authority') },
  { does: 'accepts signatures that do not cover the method',         caughtBy: ['SIG-47'], mutation: forgiveListWithout('token', '@method') },
  { does: 'accepts signatures that do not cover the content type',   caughtBy: ['SIG-48'], mutation: forgiveListWithout('token', 'content-type') },
  { does: 'accepts signatures that do not cover the content length', caughtBy: ['SIG-49'], mutation: forgiveListWithout('token', 'content-length') },
  { does: 'accepts reads whose signature does not cover the host',   caughtBy: ['SIG-50'], mutation: forgiveListWithout('status', '@authority') },
  { does: 'accepts reads whose signature does not cover the method', caughtBy: ['SIG-51'], mutation: forgiveListWithout('status', '@method') },
  { does: 'compares the host case-sensitively',            caughtBy: ['SIG-39'], mutation: refuseCalls(call => requestHeader(call, 'host') !== requestHeader(call, 'host').toLowerCase(), 'SIGNATURE_REFUSED') },
  { does: 'does not sign successes',                        caughtBy: ['RSP-01'], mutation: mutateSignedResponse(headers => headers.delete('signature') as undefined) },
  { does: 'digests its responses by sha-256',          caughtBy: ['RSP-02', 'RSP-05', 'RSP-07', 'RSP-09', 'RSP-10'], mutation: mutateSignedResponse(headers => headers.set('content-digest', headers.get('content-digest')?.replace('sha-512', 'sha-256') ?? '') as undefined) },
  { does: 'changes a response after its digest',      caughtBy: ['RSP-02', 'RSP-09'], mutation: mutateSignedResponse((headers, body) => { headers.delete('content-length'); return `${body} ` }, (call, status) => isStatus(call) && status < 300) },
  { does: 'signs its responses without their bodies', caughtBy: ['EVT-03', 'RSP-11'], through: ['RSP-02'], mutation: unsignedBodies },
  { does: 'does not sign refusals',                        caughtBy: ['RSP-06'], mutation: mutateSignedResponse(headers => headers.delete('signature') as undefined, (_call, status) => status >= 400) },
  { does: 'does not sign what it serves to the second organization', caughtBy: ['RSP-12'], through: ['RSP-02', 'RDS-04'], mutation: mutateSignedResponse(headers => headers.delete('signature') as undefined, ({ organization }, status) => status < 300 && organization !== undefined && organization.organizationId !== CALLER) },
  { does: 'does not sign token responses',                          caughtBy: ['RSP-07'], mutation: mutateSignedResponse(headers => headers.delete('signature') as undefined, isCallTo('/auth/token')) },
  { does: 'publishes its keys as a bare array',       caughtBy: ['EVT-03', 'RSP-02', 'RSP-04', 'RSP-06', 'RSP-07', 'RSP-08', 'RSP-10'], mutation: replaceReplies(isCallTo('/.well-known/jwks.json'), ({ http, body }) => ({ http, body: JSON.stringify(JSON.parse(body).keys) })) },
  { does: 'reports a broken signature with a 2xxx code', caughtBy: ['ERR-06', 'SIG-07', 'TOK-15'], mutation: replaceReplies((call, { http, body }) => http === 401 && body.includes('4992') && isCallTo('/auth/token')(call), withStatusAndCode(401, '2992')) },
]
