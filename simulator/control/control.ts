import { type Context, Hono } from 'hono'
import type { AddressBook } from '../addresses.ts'
import { isoTime } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import { kitFor } from '../operator/kit.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { Refusal } from '../refusal.ts'
import { addAccountRoutes } from './accounts.ts'
import { addFaultRoutes } from './faults.ts'
import { addIdentityRoutes } from './identities.ts'
import { limitOf } from './limit-of.ts'
import { readMembers } from './read-members.ts'
import { addShopperRoutes } from './shoppers.ts'

const HTTP = { unknown: 404, invalid: 400, conflict: 409 } as const
/** Clocks stop short of the year that ISO 8601 cannot write in four digits. */
const END_OF_TIME = Date.UTC(9999, 0)

type Parts = { operator: Operator; addresses: AddressBook; onFault: (error: unknown) => void }

/** The operator over HTTP: JSON in, JSON out, beside the contract and never part of it. */
export const createControl = ({ operator, addresses, onFault }: Parts): Hono => {
  const control = new Hono()
  const known = async (c: Context): Promise<string> =>
    (await operator.organizations.known(c.req.param('organizationId') ?? '')).organizationId
  const kit = async (c: Context, organizationId: string) =>
    kitFor(
      await operator.organizations.credentials(organizationId),
      addresses.forPagesCall(organizationId, c.req.header('host') ?? ''),
    )

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

  addAccountRoutes(control, { operator, known })
  addShopperRoutes(control, { operator, known })
  addIdentityRoutes(control, { operator, known })
  addFaultRoutes(control, { operator, known })

  control.post('/organizations/:organizationId/clock', async c => {
    const organizationId = await known(c)
    const { advance } = await readMembers(c, ['advance'])
    const milliseconds = advance === undefined ? undefined : parseDuration(advance)
    if (milliseconds === undefined)
      throw new OperatorError(
        'invalid',
        `advance is ${JSON.stringify(advance)}: give an ISO 8601 duration such as PT45S or P1DT2H.`,
      )
    if (operator.now(organizationId) + milliseconds > END_OF_TIME)
      throw new OperatorError('invalid', `advance is ${advance}: no clock goes beyond ${isoTime(END_OF_TIME)}.`)
    const { now, ran } = await operator.clock.advance(organizationId, milliseconds)
    return c.json({ now: isoTime(now), ran })
  })

  control.post('/organizations/:organizationId/clock/drain', async c => {
    const { now, ran } = await operator.clock.drain(await known(c))
    return c.json({ now: isoTime(now), ran })
  })

  control.get('/organizations/:organizationId/journal', async c =>
    c.json({ calls: operator.journal(await known(c), limitOf(c)) }),
  )
  control.get('/journal', c => c.json({ calls: operator.journal(undefined, limitOf(c)) }))

  control.all('*', c => c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404))
  control.onError((error, c) => {
    if (error instanceof OperatorError) return c.json({ error: error.message }, HTTP[error.kind])
    if (error instanceof Refusal) return c.json({ error: error.message }, 409)
    onFault(error)
    return c.json({ error: 'The service failed unexpectedly.' }, 500)
  })
  return control
}
