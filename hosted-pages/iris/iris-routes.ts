import { type Context, Hono } from 'hono'
import { isDemoMode } from '../demo-mode-cookie.ts'
import { type LiveChanges, respondWithStages } from '../live-stream.ts'
import { sayFor } from '../page-language.ts'
import { respondNotFound, respondWithPage, seeOther } from '../page-response.ts'
import { paths } from '../shopper-paths.ts'
import { paymentStage, type ShopperDecisions, type ShopperPayment } from '../shopper-payment-and-decision.ts'
import type { Say } from '../text-lookup-by-language.ts'
import { accountsFor } from './accounts.ts'
import { accountsPage } from './accounts-page.ts'
import { bankChoicePage } from './bank-choice-page.ts'
import { pendingPage } from './bank-processing-page.ts'
import { BANKS, type Bank } from './banks.ts'
import { confirmPage } from './confirm-page.ts'
import { decide } from './decision-button-handler.ts'
import { endPage, leftPage } from './end-page.ts'
import { LONGEST_USER_NAME, signInPage } from './sign-in-page.ts'

type PaymentContext = { c: Context; say: Say; redirectId: string; payment: ShopperPayment; isDemo: boolean }
type AtBank = PaymentContext & { bank: Bank }
type PageResponse = Response | Promise<Response>

const BANK = '/iris/:redirectId/banks/:bankId'

/** Features of the simulator that the pages of IRIS banks need. */
export type IrisFeatures = LiveChanges & {
  shopper: ShopperDecisions & {
    /** The payment behind an IRIS redirect URL, by the secret part of its path. */
    redirect: (redirectId: string) => Promise<ShopperPayment | undefined>
  }
  /** The address at which others reach the pages, where one is configured. */
  pagesUrl?: string | undefined
}

/** Creates the routes of the IRIS pages: choose a bank, sign in, choose an account, confirm, return (R7, E4). */
export function irisRoutes({ shopper, changes, pagesUrl }: IrisFeatures): Hono {
  const known = (use: (context: PaymentContext) => PageResponse) => async (c: Context) => {
    const redirectId = c.req.param('redirectId') ?? ''
    const payment = await shopper.redirect(redirectId)
    return payment
      ? use({ c, say: sayFor(c, payment.locale), redirectId, payment, isDemo: isDemoMode(c) })
      : respondNotFound(c)
  }
  const atBank = (use: (context: AtBank) => PageResponse) =>
    known(context => {
      const bank = BANKS.find(({ id }) => id === context.c.req.param('bankId'))
      return bank ? use({ ...context, bank }) : respondNotFound(context.c, context.say)
    })

  return new Hono()
    .get('/iris/:redirectId', known(whileWaiting(bankChoice(pagesUrl))))
    .get(
      '/iris/:redirectId/stream',
      known(({ c, redirectId, payment: { organizationId } }) =>
        respondWithStages({ changes }, c, organizationId, async () => {
          const payment = await shopper.redirect(redirectId)
          return payment && { ...payment, stage: paymentStage(payment) }
        }),
      ),
    )
    .get('/iris/:redirectId/left', known(left))
    .post('/iris/:redirectId/decision', known(decide(shopper)))
    .get(BANK, atBank(whileWaiting(signIn)))
    .get(`${BANK}/accounts`, atBank(whileWaiting(accounts)))
    .get(`${BANK}/accounts/:accountId`, atBank(whileWaiting(confirm)))
    .post(`${BANK}/accounts/:accountId`, atBank(decide(shopper)))
}

/** Shows a page while the payment waits; afterwards every path shows the page of the payment's stage. */
const whileWaiting =
  <V extends PaymentContext>(use: (context: V) => PageResponse) =>
  (context: V): PageResponse => {
    const { c, say, redirectId, payment } = context
    const stage = paymentStage(payment)
    if (stage === 'waiting') return use(context)
    return respondWithPage(
      c,
      stage === 'confirming' ? pendingPage(say, redirectId, payment) : endPage(say, payment, stage),
    )
  }

const bankChoice =
  (pagesUrl: string | undefined) =>
  ({ c, say, redirectId, payment, isDemo }: PaymentContext): PageResponse => {
    const address = new URL(paths.redirect(redirectId), pagesUrl ?? c.req.url)
    return respondWithPage(c, bankChoicePage(say, { redirectId, address, payment, isDemo }), {
      shop: payment.returnUrl,
    })
  }

const signIn = ({ c, say, ...atBank }: AtBank): PageResponse => respondWithPage(c, signInPage(say, atBank))

const accounts = ({ c, say, redirectId, bank, payment }: AtBank): PageResponse => {
  const user = userOf(c)
  return user
    ? respondWithPage(c, accountsPage(say, { redirectId, bank, user }, payment))
    : seeOther(c, paths.bank(redirectId, bank.id))
}

const confirm = ({ c, say, redirectId, bank, payment, isDemo }: AtBank): PageResponse => {
  const account = accountsFor(payment).find(({ id }) => id === c.req.param('accountId'))
  if (!account) return respondNotFound(c, say)
  const user = userOf(c)
  if (!user) return seeOther(c, paths.bank(redirectId, bank.id))
  const page = confirmPage(say, { redirectId, bank, user, account, payment, isDemo })
  return respondWithPage(c, page, { shop: payment.returnUrl })
}

const left = ({ c, say, redirectId, payment }: PaymentContext): PageResponse =>
  ['approved', 'confirming'].includes(paymentStage(payment))
    ? respondWithPage(c, leftPage(say, payment))
    : seeOther(c, paths.redirect(redirectId))

/** Reads the name of whoever signed in from the address, so that reload, back and a second tab find it; no letter is cut. */
const userOf = (c: Context): string => [...(c.req.query('user') ?? '').trim()].slice(0, LONGEST_USER_NAME).join('')
