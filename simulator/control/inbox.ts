import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import { MINUTE, parseDuration } from '../duration.ts'
import type { Message } from '../operator/inbox.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { limitOf } from './limit-of.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

const LONGEST_WAIT = MINUTE
const USUAL_WAIT = 'PT5S'

/** The built-in receiver of webhooks, for merchants that have no server yet (6). */
export const addInboxRoutes = (control: Hono, { operator, known }: Parts): void => {
  const path = '/organizations/:organizationId/inbox'
  const { inbox } = operator

  control.get(path, async c => {
    const organizationId = await known(c)
    const messages = await inbox.list(organizationId, wishOf(c), limitOf(c))
    return c.json({ secret: await inbox.secretOf(organizationId), messages: messages.map(messageBody) })
  })
  control.get(`${path}/wait`, async c => {
    const organizationId = await known(c)
    const message = await inbox.wait(organizationId, wishOf(c), atMostOf(c.req.query('atMost') ?? USUAL_WAIT))
    return c.json({ secret: await inbox.secretOf(organizationId), ...messageBody(message) })
  })
  control.delete(path, async c => c.json({ cleared: await inbox.clear(await known(c)) }))
}

const WISHES = ['type', 'transactionId', 'clientTransactionId', 'after'] as const

const wishOf = (c: Context): Partial<Record<(typeof WISHES)[number], string>> =>
  Object.fromEntries(
    WISHES.flatMap(name => {
      const value = c.req.query(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const atMostOf = (text: string): number => {
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined && milliseconds <= LONGEST_WAIT) return milliseconds
  throw new OperatorError('invalid', `atMost is ${JSON.stringify(text.slice(0, 40))}: give a duration up to PT1M.`)
}

/** `body` holds the exact bytes that are signed; `notification` is the same, read. */
const messageBody = ({ sending, ...message }: Message) => ({
  id: sending.sendingId,
  at: isoTime(sending.dueAt),
  ...message,
  body: sending.body,
  notification: JSON.parse(sending.body) as unknown,
})
