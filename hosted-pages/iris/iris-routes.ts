import { type Context, Hono } from 'hono'
import { answerLive, answerNotFound, answerPage, seeOther } from '../answer.ts'
import { paths } from '../paths.ts'
import type { PagesPort, ShopperView } from '../port.ts'
import { sayFor } from '../say-for.ts'
import type { Say } from '../texts.ts'
import { accountsFor } from './accounts.ts'
import { accountsPage } from './accounts-page.ts'
import { BANKS, type Bank } from './banks.ts'
import { banksPage } from './banks-page.ts'
import { confirmPage } from './confirm-page.ts'
import { confirmingPage } from './confirming-page.ts'
import { decide } from './decide.ts'
import { endPage, leftPage } from './end-page.ts'
import { LONGEST_USER_NAME, signInPage } from './sign-in-page.ts'
import { stageOf } from './stage.ts'

export type Visit = { c: Context; say: Say; redirectId: string; payment: ShopperView }
type AtBank = Visit & { bank: Bank }
type Answer = Response | Promise<Response>

const BANK = '/iris/:redirectId/banks/:bankId'

/** The hosted payment page: choose a bank, sign in, choose an account, confirm or cancel, return to the shop (R7, E4). */
export function irisRoutes(port: PagesPort): Hono {
  const known = (use: (visit: Visit) => Answer) => async (c: Context) => {
    const redirectId = c.req.param('redirectId') ?? ''
    const payment = await port.redirect(redirectId)
    return payment ? use({ c, say: sayFor(c, payment.locale), redirectId, payment }) : answerNotFound(c)
  }
  const atBank = (use: (visit: AtBank) => Answer) =>
    known(visit => {
      const bank = BANKS.find(({ id }) => id === visit.c.req.param('bankId'))
      return bank ? use({ ...visit, bank }) : answerNotFound(visit.c, visit.say)
    })

  return new Hono()
    .get('/iris/:redirectId', known(whileWaiting(choice(port))))
    .get(
      '/iris/:redirectId/live',
      known(({ c, payment }) => answerLive(c, { ...payment, stage: stageOf(payment) })),
    )
    .get('/iris/:redirectId/left', known(left))
    .post('/iris/:redirectId/decision', known(decide(port)))
    .get(BANK, atBank(whileWaiting(signIn)))
    .get(`${BANK}/accounts`, atBank(whileWaiting(accounts)))
    .get(`${BANK}/accounts/:accountId`, atBank(whileWaiting(confirm)))
    .post(`${BANK}/accounts/:accountId`, atBank(decide(port)))
}

/** Whatever the address: once the shopper has decided, or the time is up, there is but one thing to say. */
const whileWaiting =
  <V extends Visit>(use: (visit: V) => Answer) =>
  (visit: V): Answer => {
    const { c, say, redirectId, payment } = visit
    const stage = stageOf(payment)
    if (stage === 'waiting') return use(visit)
    return answerPage(
      c,
      stage === 'confirming' ? confirmingPage(say, redirectId, payment) : endPage(say, payment, stage),
    )
  }

const choice =
  (port: PagesPort) =>
  ({ c, say, redirectId, payment }: Visit): Answer =>
    answerPage(
      c,
      banksPage(say, redirectId, new URL(paths.redirect(redirectId), port.pagesUrl() ?? c.req.url), payment),
      'any shop',
    )

const signIn = ({ c, say, redirectId, bank, payment }: AtBank): Answer =>
  answerPage(c, signInPage(say, redirectId, bank, payment))

const accounts = ({ c, say, redirectId, bank, payment }: AtBank): Answer => {
  const user = userOf(c)
  return user
    ? answerPage(c, accountsPage(say, { redirectId, bank, user }, payment))
    : seeOther(c, paths.bank(redirectId, bank.id))
}

const confirm = ({ c, say, redirectId, bank, payment }: AtBank): Answer => {
  const account = accountsFor(payment).find(({ id }) => id === c.req.param('accountId'))
  if (!account) return answerNotFound(c, say)
  const user = userOf(c)
  if (!user) return seeOther(c, paths.bank(redirectId, bank.id))
  return answerPage(c, confirmPage(say, { redirectId, bank, user, account }, payment), 'any shop')
}

const left = ({ c, say, redirectId, payment }: Visit): Answer =>
  ['approved', 'confirming'].includes(stageOf(payment))
    ? answerPage(c, leftPage(say, payment))
    : seeOther(c, paths.redirect(redirectId))

/** Who signed in; the name goes along in the address, so that reload, back and a second tab find it. */
const userOf = (c: Context): string => (c.req.query('user') ?? '').trim().slice(0, LONGEST_USER_NAME)
