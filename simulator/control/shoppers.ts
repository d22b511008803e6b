import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import type { MandateView } from '../operator/mandates.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import type { ShopperAction } from '../providers/provider.ts'
import { limitOf } from './limit-of.ts'
import { readMembers } from './read-members.ts'

const ACTIONS: readonly ShopperAction[] = ['approve', 'decline']

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** What shoppers do in their bank's app: codes, decisions, and the shops that they keep. */
export const addShopperRoutes = (control: Hono, { operator, known }: Parts): void => {
  control.post('/organizations/:organizationId/blik/codes', async c => {
    const organizationId = await known(c)
    const { recurring } = await readMembers(c, ['recurring'])
    const bank = { recurring: oneOf('recurring', recurring ?? 'yes', ['yes', 'no']) === 'yes' }
    const { code, expiresAt } = await operator.shopper.createCode(organizationId, bank)
    return c.json({ code, expiresAt: isoTime(expiresAt) }, 201)
  })

  control.post('/organizations/:organizationId/payments/:transactionId/shopper', async c => {
    const organizationId = await known(c)
    const { action: word } = await readMembers(c, ['action'])
    const action = oneOf('action', word, ACTIONS)
    const { transactionId, outcome } = await operator.shopper.act(organizationId, c.req.param('transactionId'), action)
    return c.json({ transactionId, outcome })
  })

  control.get('/organizations/:organizationId/mandates', async c => {
    const list = await operator.mandates.list(await known(c), limitOf(c))
    return c.json({ mandates: list.map(mandateBody) })
  })

  control.post('/organizations/:organizationId/mandates/:paymentToken/revoke', async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    return c.json(mandateBody(await operator.mandates.revoke(organizationId, c.req.param('paymentToken'))))
  })
}

const oneOf = <Word extends string>(member: string, word: string | undefined, words: readonly Word[]): Word => {
  const found = words.find(name => name === word)
  if (found) return found
  throw new OperatorError('invalid', `${member} is ${JSON.stringify(word)}: give one of ${words.join(', ')}.`)
}

const mandateBody = ({ organizationId: _, createdAt, expiresAt, revokedAt, ...mandate }: MandateView) => ({
  ...mandate,
  createdAt: isoTime(createdAt),
  expiresAt: isoTime(expiresAt),
  ...(revokedAt === undefined ? {} : { revokedAt: isoTime(revokedAt) }),
})
