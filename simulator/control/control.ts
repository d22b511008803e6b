import { type Context, Hono } from 'hono'
import type { AddressBook } from '../addresses.ts'
import { isoTime } from '../clock.ts'
import { kitFor } from '../operator/kit.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { Refusal } from '../refusal.ts'
import { addAccountRoutes } from './accounts.ts'
import { addClockRoutes } from './clock.ts'
import { addConductRoutes } from './conduct.ts'
import type { ControlToken } from './control-token.ts'
import { addDeliveryRoutes } from './deliveries.ts'
import { addDescriptionRoutes, INDEX } from './description.ts'
import { addFaultRoutes } from './faults.ts'
import { addIdentityRoutes } from './identities.ts'
import { addInboxRoutes } from './inbox.ts'
import { addJournalRoutes } from './journal.ts'
import { addLabRoutes } from './lab.ts'
import { addLifeRoutes } from './lives.ts'
import { addPaymentRoutes } from './payments.ts'
import { readMembers } from './read-members.ts'
import { addReportRoutes } from './reports.ts'
import { requireControlToken } from './require-control-token.ts'
import { addScenarioRoutes } from './scenarios.ts'
import { addShopperRoutes } from './shoppers.ts'
import { addWebhookRoutes } from './webhooks.ts'

const HTTP = { unknown: 404, invalid: 400, conflict: 409 } as const

type Parts = {
  operator: Operator
  addresses: AddressBook
  onFault: (error: unknown) => void
  token: ControlToken
}

/** The operator over HTTP: JSON in, JSON out, beside the contract and never part of it. */
export const createControl = ({ operator, addresses, onFault, token }: Parts): Hono => {
  const control = new Hono()
  const known = async (c: Context): Promise<string> =>
    (await operator.organizations.known(c.req.param('organizationId') ?? '')).organizationId
  const kit = async (c: Context, organizationId: string) =>
    kitFor(
      await operator.organizations.credentials(organizationId),
      addresses.forPagesCall(organizationId, c.req.header('host') ?? ''),
    )

  addDescriptionRoutes(control)
  control.use(requireControlToken(token))
  control.get('/', c => c.json({ ...INDEX, ...(operator.seed === undefined ? {} : { variety: operator.seed }) }))

  control.get('/organizations', async c => {
    const list = (await operator.list()).map(({ organizationId, accountIds }) => {
      return { organizationId, processingAccountIds: accountIds, now: isoTime(operator.now(organizationId)) }
    })
    return c.json({ organizations: list })
  })

  control.post('/organizations', async c => {
    const { id } = await readMembers(c, ['id'])
    const { organizationId } = await operator.organizations.create(id)
    return c.json(await kit(c, organizationId), 201)
  })

  control.get('/organizations/:organizationId/kit', async c => c.json(await kit(c, await known(c))))

  control.post('/organizations/:organizationId/kit', async c => {
    const organizationId = await known(c)
    await readMembers(c, [])
    await operator.organizations.renew(organizationId)
    return c.json(await kit(c, organizationId), 201)
  })

  addAccountRoutes(control, { operator, known })
  addLifeRoutes(control, { operator, known })
  addClockRoutes(control, { operator, known })
  addShopperRoutes(control, { operator, known })
  addIdentityRoutes(control, { operator, known })
  addReportRoutes(control, { operator })
  addScenarioRoutes(control, operator)
  addFaultRoutes(control, { operator, known })
  addWebhookRoutes(control, { operator, known })
  addDeliveryRoutes(control, { operator, known })
  addInboxRoutes(control, { operator, known })

  addJournalRoutes(control, { operator, known })
  addLabRoutes(control, { operator, known })
  addPaymentRoutes(control, { operator, known })
  addConductRoutes(control, { operator, known })

  control.all('*', c => c.json({ error: `There is no ${c.req.method} ${new URL(c.req.url).pathname}.` }, 404))
  control.onError((error, c) => {
    if (error instanceof OperatorError) return c.json({ error: error.message }, HTTP[error.kind])
    if (error instanceof Refusal) return c.json({ error: error.message }, 409)
    onFault(error)
    return c.json({ error: 'The service failed unexpectedly.' }, 500)
  })
  return control
}
