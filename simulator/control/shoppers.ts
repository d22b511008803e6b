import type { Context, Hono } from 'hono'
import { isoTime } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import type { MandateView } from '../operator/mandates.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { CAUSES, SHOPPER_ACTIONS, type ShopperDecision } from '../providers/provider.ts'
import { limitOf } from './limit-of.ts'
import { readMembers } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** What shoppers do in their bank's app: phones, codes, decisions, and the shops that they keep. */
export const addShopperRoutes = (control: Hono, { operator, known }: Parts): void => {
  control.post('/organizations/:organizationId/blik/phones', async c => {
    const organizationId = await known(c)
    const { bank = operator.phones.banks[0].id } = await readMembers(c, ['bank'])
    const { phoneId, bank: made } = await operator.phones.create(organizationId, bank)
    return c.json({ phoneId, bank: made.id, recurring: made.keepsShops ? 'yes' : 'no' }, 201)
  })

  control.post('/organizations/:organizationId/blik/codes', async c => {
    const organizationId = await known(c)
    const { code, expiresAt } = await operator.shopper.createCode(organizationId, await shownBy(c))
    return c.json({ code, expiresAt: isoTime(expiresAt) }, 201)
  })

  control.post('/organizations/:organizationId/payments/:transactionId/shopper', async c => {
    const organizationId = await known(c)
    const { action, ...how } = await decisionIn(c)
    const now = await operator.shopper.act(organizationId, c.req.param('transactionId'), action, how)
    return c.json({ transactionId: now.transactionId, outcome: now.outcome })
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

/** The phone that shows a code, whose bank is known then, or a bank without one. */
const shownBy = async (c: Context) => {
  const { phone: phoneId, recurring } = await readMembers(c, ['phone', 'recurring'])
  if (phoneId === undefined) return { recurring: yesOrNo('recurring', recurring) ?? true }
  if (recurring === undefined) return { phoneId }
  throw new OperatorError('invalid', 'A phone has a bank already: give phone or recurring, not both.')
}

const decisionIn = async (c: Context): Promise<ShopperDecision & { leaves: boolean | undefined }> => {
  const { action, cause, keep, after, leaves } = await readMembers(c, ['action', 'cause', 'keep', 'after', 'leaves'])
  const decision = {
    action: oneOf('action', action, SHOPPER_ACTIONS),
    cause: cause === undefined ? undefined : oneOf('cause', cause, CAUSES),
    keep: yesOrNo('keep', keep),
    after: after === undefined ? undefined : durationOf(after),
    leaves: yesOrNo('leaves', leaves),
  }
  for (const [member, of] of [
    ['cause', 'decline'],
    ['keep', 'approve'],
    ['after', 'approve'],
    ['leaves', 'approve'],
  ] as const)
    if (decision[member] !== undefined && decision.action !== of)
      throw new OperatorError('invalid', `${member} goes with ${of} only: leave it out, or let the action be ${of}.`)
  return decision
}

const yesOrNo = (member: string, word: string | undefined): boolean | undefined =>
  word === undefined ? undefined : oneOf(member, word, ['yes', 'no']) === 'yes'

const durationOf = (text: string): number => {
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined) return milliseconds
  throw new OperatorError('invalid', `after is ${JSON.stringify(text)}: give an ISO 8601 duration, such as PT5S.`)
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
