import { type Context, Hono } from 'hono'
import { answerLive, answerNotFound, answerPage, seeOther } from '../answer.ts'
import { decisionIn } from '../decision.ts'
import { paths } from '../paths.ts'
import type { PagesPort, ShopperAction, ShopperView } from '../port.ts'
import type { Say } from '../texts.ts'
import { bankPage } from './bank-page.ts'
import { BANKS } from './banks.ts'
import { banksPage } from './banks-page.ts'
import { endPage } from './end-page.ts'

const RESULT = { approve: 'approved', decline: 'declined' } as const satisfies Record<ShopperAction, string>

/** The hosted payment page: choose a bank, confirm or cancel there, return to the shop (R7, E4). */
export function irisRoutes(port: PagesPort, say: Say): Hono {
  type Use = (c: Context, payment: ShopperView, redirectId: string) => Response | Promise<Response>
  const withPayment = (use: Use) => async (c: Context) => {
    const redirectId = c.req.param('redirectId') ?? ''
    const payment = await port.redirect(redirectId)
    return payment ? use(c, payment, redirectId) : answerNotFound(c, say)
  }

  return new Hono()
    .get(
      '/iris/:redirectId',
      withPayment((c, payment, redirectId) => {
        if (payment.outcome !== 'waiting') return answerPage(c, endPage(say, payment, payment.outcome))
        return answerPage(c, banksPage(say, redirectId, payment), 'any shop')
      }),
    )
    .get(
      '/iris/:redirectId/live',
      withPayment((c, payment) => answerLive(c, { ...payment, stage: payment.outcome })),
    )
    .get(
      '/iris/:redirectId/banks/:bankId',
      withPayment((c, payment, redirectId) => {
        const bank = BANKS.find(({ id }) => id === c.req.param('bankId'))
        if (!bank) return answerNotFound(c, say)
        if (payment.outcome !== 'waiting') return answerPage(c, endPage(say, payment, payment.outcome))
        return answerPage(c, bankPage(say, redirectId, bank, payment), 'any shop')
      }),
    )
    .post(
      '/iris/:redirectId/decision',
      withPayment(async (c, payment, redirectId) => {
        const action = await decisionIn(c)
        if (!action) return seeOther(c, paths.redirect(redirectId))
        const { outcome, returnUrl } = await port.decide(payment.organizationId, payment.transactionId, action)
        // Who pressed a button too late should read here what is true, not believe in the shop that it counted.
        return seeOther(c, returnUrl && outcome === RESULT[action] ? returnUrl : paths.redirect(redirectId))
      }),
    )
}
