import { type Context, Hono } from 'hono'
import type { LiveChanges } from '../../live-stream.ts'
import { findOrganizations, type Organizations } from '../../organization-search-and-pagination.ts'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { noteCreated, statusOf } from '../forms/form-and-page-handlers.ts'
import { withMessage } from '../forms/form-message.ts'
import { formResult } from '../forms/form-result.ts'
import { readFormValues } from '../forms/form-values.ts'
import {
  type PageRequestData,
  type PortalAddress,
  pageRequestData,
} from '../layout/control-address-and-form-outcome.ts'
import { portalPaths } from '../portal-paths.ts'
import type { StoredOrganization } from './organization-lookup.ts'
import { organizationsPage } from './organizations-page.ts'

/** Most organizations in one page of the table. */
const ROWS = 50

/** Features of the simulator that the portal's list of organizations needs. */
export type OrganizationFeatures = PortalAddress &
  Organizations<StoredOrganization> &
  LiveChanges & {
    /** An organization of this id, or of a generated one. */
    organizations: { create(organizationId: string | undefined): Promise<{ organizationId: string }> }
  }

/** Creates the routes of the portal's list of organizations, and of the form that creates one. */
export const organizationRoutes = (features: OrganizationFeatures): Hono => {
  const { organizations } = features
  const all = async (c: Context, form: Partial<PageRequestData> = {}) => {
    const shown = await findOrganizations(c, features, ROWS)
    return respondWithPage(c, organizationsPage(pageRequestData(c, features, form), shown), 'here', statusOf(form))
  }
  return new Hono()
    .get(portalPaths.organizations, c => all(c))
    .post(portalPaths.organizations, async c => {
      const typed = await readFormValues(c)
      const result = await formResult(() => organizations.create(typed.id?.trim() || undefined))
      if ('refused' in result) return all(c, { wrong: 'id', ...result, typed })
      noteCreated(c, { organizationId: result.done.organizationId })
      return seeOther(c, withMessage(portalPaths.overview(result.done.organizationId), 'organization-created'))
    })
}
