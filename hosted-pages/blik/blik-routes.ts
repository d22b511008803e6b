import { type Context, Hono } from 'hono'
import { answerLive, answerNotFound, answerPage, seeOther } from '../answer.ts'
import { decisionIn } from '../decision.ts'
import { paths } from '../paths.ts'
import type { CodeView, PagesPort } from '../port.ts'
import type { Say } from '../texts.ts'
import { codePage } from './code-page.ts'
import { phonePage } from './phone-page.ts'
import { stageOf } from './stage.ts'

/** The shopper's phone: make a code, see the payment that a shop pushed to it, approve or decline it (R6). */
export function blikRoutes(port: PagesPort, say: Say): Hono {
  const withCode = (use: (c: Context, code: CodeView) => Response | Promise<Response>) => async (c: Context) => {
    const code = await port.code(c.req.param('organizationId') ?? '', c.req.param('codeId') ?? '')
    return code ? use(c, code) : answerNotFound(c, say)
  }

  return new Hono()
    .get('/blik', async c => {
      const [first] = await port.organizations()
      return first ? c.redirect(paths.phone(first.organizationId)) : answerNotFound(c, say)
    })
    .get('/blik/:organizationId', async c => {
      const organization = await port.organization(c.req.param('organizationId'))
      return organization ? answerPage(c, phonePage(say, organization)) : answerNotFound(c, say)
    })
    .post('/blik/:organizationId/codes', async c => {
      const organization = await port.organization(c.req.param('organizationId'))
      if (!organization) return answerNotFound(c, say)
      const { organizationId, codeId } = await port.createCode(organization.organizationId)
      return seeOther(c, paths.code(organizationId, codeId))
    })
    .get(
      '/blik/:organizationId/codes/:codeId',
      withCode((c, code) => answerPage(c, codePage(say, code))),
    )
    .get(
      '/blik/:organizationId/codes/:codeId/live',
      withCode((c, code) => answerLive(c, stageOf(code))),
    )
    .post(
      '/blik/:organizationId/codes/:codeId/decision',
      withCode(async (c, code) => {
        const action = await decisionIn(c)
        if (action && code.payment) await port.decide(code.organizationId, code.payment.transactionId, action)
        return seeOther(c, paths.code(code.organizationId, code.codeId))
      }),
    )
}
