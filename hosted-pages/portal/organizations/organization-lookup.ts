import type { Context } from 'hono'
import type { LiveChanges } from '../../live-stream.ts'
import type { Organizations } from '../../organization-search-and-pagination.ts'
import { type OrganizationView, withClock } from '../../organization-with-clock.ts'
import { respondNotFound } from '../../page-response.ts'
import { english } from '../../text-lookup-by-language.ts'
import type { PortalAddress } from '../layout/control-address-and-form-outcome.ts'

/** An organization as the portal shows it: its id, processing accounts and clock. */
export type Organization = StoredOrganization & OrganizationView
export type StoredOrganization = { organizationId: string; accountIds: readonly string[] }

/** The feature of the simulator by which a portal page finds the organization that its address names. */
export type OrganizationLookup = Organizations<StoredOrganization> & LiveChanges
/** Features of the simulator that every portal page of one organization needs. */
export type OrganizationPages = OrganizationLookup & PortalAddress

type Use = (c: Context, organization: Organization) => Response | Promise<Response>

/** Creates a portal handler that responds for the organization that the address names, with 404 where there is none. */
export const withOrganization =
  (features: OrganizationPages) =>
  (use: Use) =>
  async (c: Context): Promise<Response> => {
    const organizationId = c.req.param('organizationId') ?? ''
    const seen = features.changes.position(organizationId) // before anything of it is read
    const organization = await features.organizations.find(organizationId)
    if (!organization) return respondNotFound(c, english)
    return use(c, { ...withClock(features, organization), seen, isSignedIn: features.access.isWanted })
  }
