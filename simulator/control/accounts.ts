import type { Context, Hono } from 'hono'
import { METHODS } from '../operator/account-capabilities.ts'
import type { Operator } from '../operator/operator.ts'
import { readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** What methods can do on single accounts (D-77). */
export const addAccountRoutes = (control: Hono, { operator, known }: Parts): void => {
  const path = '/organizations/:organizationId/accounts/:accountId/capabilities'

  control.get(path, async c => c.json(await operator.capabilities.of(await known(c), c.req.param('accountId'))))
  control.put(path, async c => {
    const organizationId = await known(c)
    const wanted = await readObject(c, METHODS)
    return c.json(await operator.capabilities.set(organizationId, c.req.param('accountId'), wanted))
  })
}
