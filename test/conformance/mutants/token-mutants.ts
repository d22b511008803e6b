import { forgiveToken, TOKEN_FAULTS } from './grid-layer-mutations.ts'
import type { Mutant, Mutation } from './mutant.ts'
import {
  bodyTextOf,
  isCallTo,
  mutateServedJson,
  mutateSignedResponse,
  refuseCalls,
  replaceReplies,
  requestHeader,
  withFreshState,
  withStatusAndCode,
} from './mutations-of-matching-calls.ts'
import { mutateRequest, mutateVerifiedBodyAt } from './simulator-mutations.ts'

const isToken = isCallTo('/auth/token')
const asking = (change: (body: string) => string) => mutateVerifiedBodyAt('/auth/token')(change)
const granting = (change: (scope: string, form: string) => string) =>
  mutateServedJson(isToken, (body, call) => ({ ...body, scope: change(String(body.scope), bodyTextOf(call)) }))

/** A bearer token that is none of ours is taken for the one that was handed out last. */
const takingAnyToken: Mutation = async (dataDir, hits) => {
  const given: string[] = []
  const noting = mutateSignedResponse((_headers, body) => void given.push(JSON.parse(body).access_token), isToken)
  const swapping = mutateRequest(({ headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!token.startsWith('eyJ') || given.includes(token)) return false
    headers.authorization = `Bearer ${given.at(-1)}`
    return true
  })
  const [noted, swapped] = await Promise.all([noting(dataDir, { count: 0 }), swapping(dataDir, hits)])
  return { layers: { ...noted.layers, ...swapped.layers } }
}

/** A token that says it is not signed is taken for the one that was handed out last. */
const takingUnsignedToken: Mutation = async (dataDir, hits) => {
  const given: string[] = []
  const noting = mutateSignedResponse((_headers, body) => void given.push(JSON.parse(body).access_token), isToken)
  const swapping = mutateRequest(({ headers }) => {
    if (!headers.authorization?.endsWith('.')) return false
    headers.authorization = `Bearer ${given.at(-1)}`
    return true
  })
  const [noted, swapped] = await Promise.all([noting(dataDir, { count: 0 }), swapping(dataDir, hits)])
  return { layers: { ...noted.layers, ...swapped.layers } }
}

const basicForBearer = mutateRequest(({ headers }) => {
  if (!headers.authorization?.startsWith('Basic')) return false
  headers.authorization = headers.authorization.replace('Basic', 'Bearer')
  return true
})

const withBearer = (bearer: RegExp) => (call: Parameters<typeof requestHeader>[0]) =>
  bearer.test(requestHeader(call, 'authorization'))
const isGuarded = (call: Parameters<typeof requestHeader>[0]) => call.incoming.url?.startsWith('/payments') ?? false

/** What reads a status with a token that has read one before, and must be served. */
const EVERY_READ =
  'BLK-01 BLK-02 BLK-03 BLK-05 BLK-07 BLK-08 IRS-03 IRS-04 IRS-05 IRS-07 LIF-01 LIF-02 LIF-09 MCK-22 MTLS-01 RDS-01 RDS-08 RSP-01 SIG-21 TOK-16 VER-01 VER-02'.split(
    ' ',
  )

// biome-ignore format: a table reads by its columns
export const TOKEN_MUTANTS: readonly Mutant[] = [
  { does: 'returns no refresh_expires_in',                  caughtBy: ['TOK-01', 'TOK-03'], mutation: mutateServedJson(isToken, ({ refresh_expires_in: _, ...body }) => body) },
  { does: 'lets a refresh token live for a day',          caughtBy: ['TOK-03'],           mutation: mutateServedJson(isToken, body => ({ ...body, refresh_expires_in: 86_400 })) },
  { does: 'writes bearer in lower case',                  caughtBy: ['TOK-04'],           mutation: mutateServedJson(isToken, body => ({ ...body, token_type: 'bearer' })) },
  { does: 'grants a scope that nobody has asked for',     caughtBy: ['TOK-06'],           mutation: granting((scope, form) => (form.includes('scope=payments%3Aprocess') ? `${scope} payments:admin` : scope)) },
  { does: 'grants payments:process to who reads reports', caughtBy: ['TOK-08'],           mutation: granting(scope => (scope.includes('data:reports') ? `${scope} payments:process` : scope)) },
  { does: 'grants data:reports to who processes payments', caughtBy: ['TOK-06', 'TOK-09'], mutation: granting(scope => (scope.includes('process') ? `${scope} data:reports` : scope)) },
  { does: 'refuses a token call without scope',           caughtBy: ['TOK-07'],           mutation: refuseCalls(call => isToken(call) && !bodyTextOf(call).includes('scope=')) },
  { does: 'requires an Idempotency-Key where process comes before read', caughtBy: ['TOK-20'], mutation: refuseCalls(call => isToken(call) && bodyTextOf(call).includes('process+payments%3Aread') && requestHeader(call, 'idempotency-key') === '') },
  { does: 'accepts a token call without client_id', caughtBy: ['TOK-21'],           mutation: asking(form => (form.includes('client_id=') ? form : `${form}&client_id=demo-merchant`)) },
  { does: 'accepts a token call without grant_type',         caughtBy: ['TOK-21'],           mutation: asking(form => (form.includes('grant_type=') ? form : `${form}&grant_type=client_credentials`)) },
  { does: 'grants unknown scopes',     caughtBy: ['TOK-13'],           mutation: replaceReplies(call => bodyTextOf(call).includes('invented'), () => ({ http: 200, body: JSON.stringify({ scope: 'payments:read payments:invented' }) })) },
  { does: 'accepts any grant_type',                         caughtBy: ['TOK-11'],           mutation: asking(form => form.replace('grant_type=password', 'grant_type=client_credentials')) },
  { does: 'accepts any client_id',           caughtBy: ['TOK-12'],           mutation: asking(form => form.replace('nobody-of-this-name', 'demo-merchant')) },
  { does: 'reports a missing token as expired',                caughtBy: ['BRR-01'],           mutation: replaceReplies((call, { http }) => http === 401 && isGuarded(call) && requestHeader(call, 'authorization') === '', withStatusAndCode(401, '4061')) },
  { does: 'calls a nonsense token expired',               caughtBy: ['BRR-02'],           mutation: replaceReplies(withBearer(/nonsense/), withStatusAndCode(401, '4061')) },
  { does: 'accepts Basic as Bearer',                       caughtBy: ['BRR-03'],           mutation: basicForBearer },
  { does: 'accepts a token that says it is not signed', caughtBy: ['TOK-23'],       mutation: takingUnsignedToken },
  { does: 'accepts any well-formed token',          caughtBy: ['BRR-04', 'TOK-23'],           mutation: takingAnyToken },
  { does: 'validates bodies before it checks the token',      caughtBy: ['BRR-05'],           mutation: replaceReplies(call => isCallTo('/payments/search')(call) && requestHeader(call, 'authorization') === '', withStatusAndCode(400, '4000')) },
  ...(['initiate', 'capture', 'cancel', 'refund'] as const).map(act => ({ does: `takes a token for reports on ${act}`, caughtBy: ['SCP-13'], mutation: forgiveToken(act, TOKEN_FAULTS.reporting) })),
  { does: 'accepts a token only once',                    caughtBy: EVERY_READ, stopsOthers: true, mutation: withFreshState(() => refuseCalls(usedBefore(), 'TOKEN_REFUSED')) },
]

/** Knows tokens for reads of the status that have been used for one. */
function usedBefore(): (call: Parameters<typeof requestHeader>[0]) => boolean {
  const used = new Set<string>()
  return call => {
    if (!isCallTo('status')(call)) return false
    const token = requestHeader(call, 'authorization')
    return used.has(token) || !used.add(token)
  }
}
