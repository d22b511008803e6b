import type { Context, Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { BANK_DECLINE_REASONS, SHOPPER_ACTIONS, type ShopperDecision } from '../providers/shopper-decision.ts'
import type { MandateView } from '../shoppers/list-and-revoke-mandates.ts'
import { isoTime } from '../support/clock.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { A_DURATION, parseDuration } from '../support/duration.ts'
import { describeValue } from '../support/invalid-member-error.ts'
import { isPermitted } from './permitted-calls.ts'
import { readJsonMembers, readLimit, readTextMembers, requireText } from './read-request.ts'

/** Adds the routes of control for the shopper: phones, BLIK codes, decisions and mandates. */
export const addShopperRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  control.post('/organizations/:organizationId/blik/phones', async c => {
    const { bank = controlPlane.phones.banks[0].id } = await readTextMembers(c, ['bank'])
    const { phoneId, bank: itsBank } = await controlPlane.phones.create(c.var.organizationId, bank)
    return c.json({ phoneId, bank: itsBank.id, recurring: itsBank.keepsShops ? 'yes' : 'no' }, 201)
  })

  control.post('/organizations/:organizationId/blik/codes', async c => {
    const { code, expiresAt } = await controlPlane.shopper.createCode(c.var.organizationId, await holderOf(c))
    return c.json({ code, expiresAt: isoTime(expiresAt) }, 201)
  })

  control.post('/organizations/:organizationId/payments/:transactionId/shopper', async c => {
    const { action, ...how } = await decisionIn(c)
    const now = await controlPlane.shopper.act(c.var.organizationId, c.req.param('transactionId'), action, how)
    return c.json({ transactionId: now.transactionId, outcome: now.outcome })
  })

  control.get('/organizations/:organizationId/mandates', async c => {
    const list = await controlPlane.mandates.list(c.var.organizationId, readLimit(c))
    const { access, organizationId } = c.var
    const acts = isPermitted(access, 'POST', `/control/organizations/${organizationId}/blik/codes`)
    return c.json({ mandates: list.map(mandateBody).map(body => (acts ? body : withoutPhone(body))) })
  })

  control.post('/organizations/:organizationId/mandates/:paymentToken/revoke', async c => {
    await readTextMembers(c, [])
    return c.json(mandateBody(await controlPlane.mandates.revoke(c.var.organizationId, c.req.param('paymentToken'))))
  })
}

/** Reads who holds a new BLIK code: a phone, or whether the bank supports mandates. */
const holderOf = async (c: Context) => {
  const { phone, recurring } = await readJsonMembers(c, ['phone', 'recurring'])
  if (phone === undefined) return { recurring: yesOrNo('recurring', recurring) ?? true }
  if (recurring === undefined) return { phoneId: requireText('phone', phone) }
  throw new ControlError('invalid', 'A phone has a bank already: give phone or recurring, not both.')
}

const decisionIn = async (c: Context): Promise<ShopperDecision & { leaves: boolean | undefined }> => {
  const { action, cause, keep, after, leaves } = await readJsonMembers(c, [
    'action',
    'cause',
    'keep',
    'after',
    'leaves',
  ])
  const decision = {
    action: requireOneOf('action', action, SHOPPER_ACTIONS),
    cause: cause === undefined ? undefined : requireOneOf('cause', cause, BANK_DECLINE_REASONS),
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
      throw new ControlError('invalid', `${member} goes with ${of} only: leave it out, or let the action be ${of}.`)
  return decision
}

const yesOrNo = (member: string, word: unknown): boolean | undefined =>
  word === undefined ? undefined : requireOneOf(member, word, ['yes', 'no']) === 'yes'

const durationOf = (text: unknown): number => {
  const milliseconds = typeof text === 'string' ? parseDuration(text) : undefined
  if (milliseconds !== undefined) return milliseconds
  throw new ControlError('invalid', `after is ${describeValue(text)}: give ${A_DURATION} such as PT5S.`)
}

/** A mandate for whoever may not act: the id of a phone is all that its pages ask for. */
const withoutPhone = ({ phoneId: _, ...mandate }: ReturnType<typeof mandateBody>) => mandate

const mandateBody = ({ organizationId: _, createdAt, expiresAt, revokedAt, ...mandate }: MandateView) => ({
  ...mandate,
  createdAt: isoTime(createdAt),
  expiresAt: isoTime(expiresAt),
  ...(revokedAt === undefined ? {} : { revokedAt: isoTime(revokedAt) }),
})
