import { type Context, Hono } from 'hono'
import { answerLive, answerNotFound, answerPage, seeOther } from '../answer.ts'
import { FIRST } from '../find-organization.ts'
import { paths } from '../paths.ts'
import type { CodeView, PagesPort, PhoneView } from '../port.ts'
import { sayFor } from '../say-for.ts'
import { banksPage } from './banks-page.ts'
import { codePage } from './code-page.ts'
import { codePath, SCREENS, type Screen } from './code-path.ts'
import { phonePage } from './phone-page.ts'
import { fieldIn, pressIn } from './press.ts'
import { stageOf } from './stage.ts'

type Answer = Response | Promise<Response>

/** Shoppers' phones: choose a bank, make a code, decide on the payment that a shop pushed to it, keep shops (R6, 1). */
export function blikRoutes(port: PagesPort): Hono {
  const withPhone = (use: (c: Context, phone: PhoneView) => Answer) => async (c: Context) => {
    const phone = await port.phone(c.req.param('organizationId') ?? '', c.req.param('phoneId') ?? '')
    return phone ? use(c, phone) : answerNotFound(c)
  }
  const withCode = (use: (c: Context, phone: PhoneView, code: CodeView) => Answer) =>
    withPhone(async (c, phone) => {
      const code = await port.code(phone.organizationId, c.req.param('codeId') ?? '')
      return code?.phoneId === phone.phoneId ? use(c, phone, code) : answerNotFound(c)
    })

  return new Hono()
    .get('/blik', async c => {
      const [first] = (await port.organizations(FIRST)).found
      return first ? c.redirect(paths.blik(first.organizationId)) : answerNotFound(c)
    })
    .get('/blik/:organizationId', async c => {
      const organization = await port.organization(c.req.param('organizationId'))
      return organization ? answerPage(c, banksPage(sayFor(c), organization, port.blikBanks())) : answerNotFound(c)
    })
    .post('/blik/:organizationId/phones', async c => {
      const organization = await port.organization(c.req.param('organizationId'))
      if (!organization) return answerNotFound(c)
      const phone = await port.createPhone(organization.organizationId, await fieldIn(c, 'bank'))
      return seeOther(
        c,
        phone ? paths.phone(phone.organizationId, phone.phoneId) : paths.blik(organization.organizationId),
      )
    })
    .get(
      '/blik/:organizationId/phones/:phoneId',
      withPhone((c, phone) => answerPage(c, phonePage(sayFor(c), phone))),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/codes',
      withPhone(async (c, phone) => seeOther(c, codePath(await port.createCode(phone.organizationId, phone.phoneId)))),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/revoke',
      withPhone(async (c, { organizationId, phoneId, shops }) => {
        const token = await fieldIn(c, 'paymentToken')
        if (shops.some(({ paymentToken }) => paymentToken === token)) await port.revoke(organizationId, token)
        return seeOther(c, paths.phone(organizationId, phoneId))
      }),
    )
    .get(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId',
      withCode((c, phone, code) => {
        const screen = SCREENS.find(name => name === c.req.query('screen'))
        return answerPage(c, codePage(sayFor(c, code.payment?.locale), phone, code, screen))
      }),
    )
    .get(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId/live',
      withCode((c, _phone, code) => answerLive(c, stageOf(code))),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId/decision',
      withCode(async (c, _phone, code) => seeOther(c, codePath(code, await decide(c, port, code)))),
    )
}

/** What the press of a button brings about; where it only leads to another screen, which one. */
async function decide(c: Context, port: PagesPort, { payment, organizationId }: CodeView): Promise<Screen | undefined> {
  if (!payment) return undefined
  const pressed = await pressIn(c, payment)
  if (!pressed || 'screen' in pressed) return pressed?.screen
  const { action, ...how } = pressed
  await port.decide(organizationId, payment.transactionId, action, how)
  return undefined
}
