import type { Context, Hono } from 'hono'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import { createResponseLens } from '../../contracts/dialect/response-lens.ts'
import { parseJson } from '../../contracts/protocol/parse-json-keeping-big-integers.ts'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isoTime } from '../support/clock.ts'
import { toJsonArray } from '../support/json-array-in-parts.ts'
import { shortenSecret } from '../webhooks/endpoint-secrets.ts'
import type { InboxMessage } from '../webhooks/inbox.ts'
import type { ControlAccess } from './permitted-calls.ts'
import { readLimit, readWait } from './read-request.ts'
import { respondInPieces } from './respond-in-pieces.ts'

/** Adds the routes of control for the inbox, the built-in receiver of webhooks (6). */
export const addInboxRoutes = (control: Hono, { inbox, dialects }: ControlPlaneFeatures): void => {
  const path = '/organizations/:organizationId/inbox'

  /** The secret of the inbox; shortened for whoever may only look, as that of an endpoint. */
  const secretFor = async (c: Context, organizationId: string): Promise<string> => {
    const secret = await inbox.secretOf(organizationId)
    const access: ControlAccess = c.get('access')
    return access !== 'operator' && access.role === 'read' ? shortenSecret(secret) : secret
  }

  control.get(path, async c => {
    const { organizationId } = c.var
    const secret = await secretFor(c, organizationId)
    const messages = inbox.each(organizationId, filterOf(c), readLimit(c))
    return respondInPieces(c, listOf(secret, toJsonArray(messages, messageBody(dialects.of(organizationId)))))
  })
  control.get(`${path}/wait`, async c => {
    const message = await inbox.wait(c.var.organizationId, filterOf(c), readWait(c, 'PT5S'), c.req.raw.signal)
    return c.json({
      secret: await secretFor(c, c.var.organizationId),
      ...messageBody(dialects.of(c.var.organizationId))(message),
    })
  })
  control.delete(path, async c => c.json({ cleared: await inbox.clear(c.var.organizationId) }))
}

async function* listOf(secret: string, messages: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{"secret":${JSON.stringify(secret)},"messages":`
  yield* messages
  yield '}'
}

const FILTERS = ['type', 'transactionId', 'clientTransactionId', 'after'] as const

const filterOf = (c: Context): Partial<Record<(typeof FILTERS)[number], string>> =>
  Object.fromEntries(
    FILTERS.flatMap(name => {
      const value = c.req.query(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Converts an inbox message to JSON: `body` is the exact signed text, `notification` what that says in our members. */
const messageBody = (dialect: Dialect) => {
  const read = createNotificationReader(dialect)
  return ({ message, ...signed }: InboxMessage) => ({
    id: message.messageId,
    at: isoTime(message.dueAt),
    ...signed,
    body: message.body,
    notification: read(message.body),
  })
}

/** Creates a function that returns what the text of a webhook says in our own members. */
export const createNotificationReader = ({ lenses, lines }: Dialect): ((body: string) => unknown) => {
  if (!lenses) return body => JSON.parse(body) as unknown
  const { read } = createResponseLens(lines)
  return body => read('webhook', parseJson(body))
}
