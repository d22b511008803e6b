import type { Context, Hono } from 'hono'
import { reportOf } from '../../contracts/protocol/lab/report.ts'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { readMembers } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** The signature lab: what is wrong with a request, pasted or picked from the journal, and how it is done right (5.2). */
export const addLabRoutes = (control: Hono, { operator, known }: Parts): void => {
  control.post('/organizations/:organizationId/lab', async c => {
    const organizationId = await known(c)
    const { request, call, base } = await readMembers(c, ['request', 'call', 'base'])
    if ((request === undefined) === (call === undefined))
      throw new OperatorError(
        'invalid',
        'Give either request, the text of a request, or call, the id of one in the journal.',
      )
    const wish = { request, call, base: base === undefined ? undefined : Buffer.from(base) }
    return c.json(reportOf(await operator.lab.diagnose(organizationId, wish)))
  })
}
