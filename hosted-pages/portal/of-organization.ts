import type { Context } from 'hono'
import { answerNotFound } from '../answer.ts'
import { sayFor } from '../say-for.ts'
import type { Say } from '../texts.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'

type Use = (c: Context, organization: OrganizationSummary, say: Say) => Response | Promise<Response>

/** Answers for the organization that the address names; where there is none, there is no page. */
export const ofOrganization =
  ({ organizations }: Pick<PortalPort, 'organizations'>) =>
  (use: Use) =>
  async (c: Context): Promise<Response> => {
    const organization = await organizations.find(c.req.param('organizationId') ?? '')
    return organization ? use(c, organization, sayFor(c)) : answerNotFound(c)
  }
