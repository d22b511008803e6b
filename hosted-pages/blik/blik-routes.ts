import { type Context, Hono } from 'hono'
import { isDemoMode } from '../demo-mode-cookie.ts'
import { type LiveChanges, respondWithStages } from '../live-stream.ts'
import { sayFor } from '../page-language.ts'
import { respondNotFound, respondTooMany, respondWithPage, seeOther } from '../page-response.ts'
import { formResult } from '../portal/forms/form-result.ts'
import { paths } from '../shopper-paths.ts'
import type { ShopperDecisions } from '../shopper-payment-and-decision.ts'
import { codePageByStage } from './bank-app-page-by-stage.ts'
import { codePath, SCREENS, type Screen, stageOf } from './code-stage-and-screen-paths.ts'
import { shownStageOf } from './end-screen.ts'
import type { CodeView, Phone, PhoneMemory } from './phone-and-code-types.ts'
import { type PhoneAccess, type PhoneChoiceFeatures, phoneChoiceRoutes } from './phone-choice-routes.ts'
import { phoneCookie } from './phone-cookie.ts'
import { phonePage, stageOfPhone } from './phone-home-screen.ts'
import { readDecision, readField } from './read-decision.ts'

type PageResponse = Response | Promise<Response>

/** Features of the simulator that the pages of BLIK phones need. */
export type BlikFeatures = PhoneChoiceFeatures &
  LiveChanges & {
    shopper: ShopperDecisions & {
      /** A fresh code in the bank app of a phone (R6). */
      createCode: (organizationId: string, shownBy: { phoneId: string }) => Promise<CodeView>
      code: (organizationId: string, codeId: string) => Promise<CodeView | undefined>
    }
    /** Revokes the consent by which a shop is saved for later payments. */
    mandates: { revoke(organizationId: string, paymentToken: string): Promise<unknown> }
    /** The address at which others reach the pages, where one is configured. */
    pagesUrl?: string | undefined
  }

/**
 * Creates the routes of the pages of BLIK phones: choose a bank, make a code, decide on a payment, save shops (R6, 1).
 */
export function blikRoutes(features: BlikFeatures, access: PhoneAccess): Hono {
  const { phones, phoneMemory, shopper, mandates, changes, pagesUrl } = features
  const withPhone = (use: (c: Context, phone: Phone) => PageResponse) => async (c: Context) => {
    const phone = await phones.find(c.req.param('organizationId') ?? '', c.req.param('phoneId') ?? '')
    return phone ? use(c, phone) : respondNotFound(c)
  }
  const withCode = (use: (c: Context, phone: Phone, code: CodeView) => PageResponse) =>
    withPhone(async (c, phone) => {
      const code = await shopper.code(phone.organizationId, c.req.param('codeId') ?? '')
      return code?.phoneId === phone.phoneId ? use(c, phone, code) : respondNotFound(c)
    })

  const memoryOf = ({ organizationId, phoneId }: Phone) => phoneMemory.of(organizationId, phoneId)

  return new Hono()
    .route('/', phoneChoiceRoutes(features, access))
    .get(
      '/blik/:organizationId/phones/:phoneId',
      withPhone(async (c, phone) => {
        c.header('Set-Cookie', phoneCookie(c, phone, pagesUrl))
        return respondWithPage(c, phonePage(sayFor(c), phone, await memoryOf(phone)))
      }),
    )
    .get(
      '/blik/:organizationId/phones/:phoneId/stream',
      withPhone((c, { organizationId, phoneId }) =>
        respondWithStages({ changes }, c, organizationId, async () => {
          const phone = await phones.find(organizationId, phoneId)
          if (!phone) return undefined
          const memory = await memoryOf(phone)
          const { now, rate, expiresAt } = timedOf(memory) ?? { now: 0, rate: 0, expiresAt: 0 }
          return { stage: stageOfPhone(phone, memory), now, rate, expiresAt }
        }),
      ),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/codes',
      withPhone(async (c, { organizationId, phoneId }) => {
        const code = await formResult(() => shopper.createCode(organizationId, { phoneId }))
        return 'refused' in code ? respondTooMany(c, 'Codes') : seeOther(c, codePath(code.done))
      }),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/revoke',
      withPhone(async (c, { organizationId, phoneId, shops }) => {
        const token = await readField(c, 'paymentToken')
        if (shops.some(({ paymentToken }) => paymentToken === token)) await mandates.revoke(organizationId, token)
        return seeOther(c, paths.phone(organizationId, phoneId))
      }),
    )
    .get(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId',
      withCode((c, phone, code) => {
        const screen = SCREENS.find(name => name === c.req.query('screen'))
        return respondWithPage(c, codePageByStage(sayFor(c, code.payment?.locale), phone, code, screen, isDemoMode(c)))
      }),
    )
    .get(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId/stream',
      withCode((c, { phoneId }, { organizationId, codeId }) =>
        respondWithStages({ changes }, c, organizationId, async () => {
          const code = await shopper.code(organizationId, codeId)
          const phone = await phones.find(organizationId, phoneId)
          if (!code || !phone) return undefined
          const staged = stageOf(code)
          return { ...staged, stage: shownStageOf(staged, phone.shops).stage }
        }),
      ),
    )
    .post(
      '/blik/:organizationId/phones/:phoneId/codes/:codeId/decision',
      withCode(async (c, _phone, code) => seeOther(c, codePath(code, await decide(c, shopper, code)))),
    )
}

/** What has the clock of a phone's home screen: the newest payment that waits, else the open code. */
const timedOf = ({ openCode, payments }: PhoneMemory) =>
  payments.find(({ payment }) => payment.outcome === 'waiting')?.payment ?? openCode

/** Decides the payment as the submitted button says; returns a screen where the button only leads to one. */
async function decide(
  c: Context,
  shopper: ShopperDecisions,
  { payment, organizationId }: CodeView,
): Promise<Screen | undefined> {
  if (!payment) return undefined
  const submitted = await readDecision(c, payment)
  if (!submitted || 'screen' in submitted) return submitted?.screen
  const { action, ...how } = submitted
  await shopper.decide(organizationId, payment.transactionId, action, how)
  return undefined
}
