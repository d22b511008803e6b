import { at, headerOf, instead, onTheWire, remembering, saying, telling, textOf, turningAway } from './break.ts'
import { calling, receiving, type Sabotage, type Saboteur } from './sabotage.ts'

const isToken = at('/auth/token')
const asking = (change: (body: string) => string) => calling('/auth/token')(change)
const granting = (change: (scope: string, form: string) => string) =>
  telling(isToken, (body, call) => ({ ...body, scope: change(String(body.scope), textOf(call)) }))

/** A bearer token that is none of ours is taken for the one that was handed out last. */
const takingAnyToken: Sabotage = async (dataDir, hits) => {
  const given: string[] = []
  const noting = onTheWire((_headers, body) => void given.push(JSON.parse(body).access_token), isToken)
  const swapping = receiving(({ headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!token.startsWith('eyJ') || given.includes(token)) return false
    headers.authorization = `Bearer ${given.at(-1)}`
    return true
  })
  const [noted, swapped] = await Promise.all([noting(dataDir, { count: 0 }), swapping(dataDir, hits)])
  return { layers: { ...noted.layers, ...swapped.layers } }
}

const basicForBearer = receiving(({ headers }) => {
  if (!headers.authorization?.startsWith('Basic')) return false
  headers.authorization = headers.authorization.replace('Basic', 'Bearer')
  return true
})

const withBearer = (bearer: RegExp) => (call: Parameters<typeof headerOf>[0]) =>
  bearer.test(headerOf(call, 'authorization'))
const isGuarded = (call: Parameters<typeof headerOf>[0]) => call.incoming.url?.startsWith('/payments') ?? false

/** What reads a status with a token that has read one before, and must be served. */
const EVERY_READ =
  'ERR-18 IRS-04 IRS-05 LIF-01 LIF-02 LIF-03 LIF-09 MCK-22 RDS-01 RDS-02 RDS-03 RDS-08 RSP-01 SIG-21 TOK-16 VER-01 VER-02'.split(
    ' ',
  )

// biome-ignore format: a table reads by its columns
export const TOKEN_SABOTEURS: readonly Saboteur[] = [
  { does: 'tells no refresh_expires_in',                  caughtBy: ['TOK-01', 'TOK-03'], sabotage: telling(isToken, ({ refresh_expires_in: _, ...body }) => body) },
  { does: 'lets a refresh token live for a day',          caughtBy: ['TOK-03'],           sabotage: telling(isToken, body => ({ ...body, refresh_expires_in: 86_400 })) },
  { does: 'writes bearer in lower case',                  caughtBy: ['TOK-04'],           sabotage: telling(isToken, body => ({ ...body, token_type: 'bearer' })) },
  { does: 'grants a scope that nobody has asked for',     caughtBy: ['TOK-06'],           sabotage: granting((scope, form) => (form.includes('scope=payments%3Aprocess') ? `${scope} payments:admin` : scope)) },
  { does: 'grants payments:process to who reads reports', caughtBy: ['TOK-08'],           sabotage: granting(scope => (scope.includes('data:reports') ? `${scope} payments:process` : scope)) },
  { does: 'grants data:reports to who processes payments', caughtBy: ['TOK-06', 'TOK-09'], sabotage: granting(scope => (scope.includes('process') ? `${scope} data:reports` : scope)) },
  { does: 'wants a key of who asks for no scope',         caughtBy: ['TOK-07', 'TOK-20'], sabotage: turningAway(call => isToken(call) && !textOf(call).includes('scope=') && headerOf(call, 'idempotency-key') === '') },
  { does: 'takes whoever names no client for the caller', caughtBy: ['TOK-21'],           sabotage: asking(form => (form.includes('client_id=') ? form : `${form}&client_id=demo-merchant`)) },
  { does: 'takes no grant_type for the only one',         caughtBy: ['TOK-21'],           sabotage: asking(form => (form.includes('grant_type=') ? form : `${form}&grant_type=client_credentials`)) },
  { does: 'grants scopes that it has never heard of',     caughtBy: ['TOK-13'],           sabotage: instead(call => textOf(call).includes('invented'), () => ({ http: 200, body: JSON.stringify({ scope: 'payments:read payments:invented' }) })) },
  { does: 'takes any grant_type',                         caughtBy: ['TOK-11'],           sabotage: asking(form => form.replace('grant_type=password', 'grant_type=client_credentials')) },
  { does: 'takes any client_id for the caller',           caughtBy: ['TOK-12'],           sabotage: asking(form => form.replace('nobody-of-this-name', 'demo-merchant')) },
  { does: 'calls a missing token expired',                caughtBy: ['BRR-01'],           sabotage: instead((call, { http }) => http === 401 && isGuarded(call) && headerOf(call, 'authorization') === '', saying(401, '4061')) },
  { does: 'calls a nonsense token expired',               caughtBy: ['BRR-02'],           sabotage: instead(withBearer(/nonsense/), saying(401, '4061')) },
  { does: 'takes Basic for Bearer',                       caughtBy: ['BRR-03'],           sabotage: basicForBearer },
  { does: 'takes any token that looks like one',          caughtBy: ['BRR-04'],           sabotage: takingAnyToken },
  { does: 'reads bodies before it asks for a token',      caughtBy: ['BRR-05'],           sabotage: instead(call => at('/payments/search')(call) && headerOf(call, 'authorization') === '', saying(400, '4000')) },
  { does: 'lets a token be used once',                    caughtBy: EVERY_READ,           sabotage: remembering(() => turningAway(usedBefore(), 'TOKEN_REFUSED')) },
]

/** Knows tokens for reads of the status that have been used for one. */
function usedBefore(): (call: Parameters<typeof headerOf>[0]) => boolean {
  const used = new Set<string>()
  return call => {
    if (!at('status')(call)) return false
    const token = headerOf(call, 'authorization')
    return used.has(token) || !used.add(token)
  }
}
