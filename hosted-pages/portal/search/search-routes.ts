import { type Context, Hono } from 'hono'
import type { Organizations } from '../../organization-search-and-pagination.ts'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from '../sign-in/sign-in-routes.ts'
import { type FoundSomewhere, pageOfHit, type SearchHit, searchEverywherePage, searchPage } from './search-page.ts'

/** Features of the simulator that the portal's search of an organization needs. */
export type SearchFeatures = OrganizationPages & {
  organizations: Pick<Organizations['organizations'], 'search'>
  access: Pick<SignInFeatures['access'], 'permits'>
  search: { find: (organizationId: string, text: string) => Promise<readonly SearchHit[]> }
}

const MOST = 200
/** Number of hits after which no further organization is searched. */
const ENOUGH = 20
/** Organizations that are looked up at once. */
const PAGE = 50

/**
 * Creates the routes of the portal's search, in an organization and in every one; where it finds one thing only, it leads
 * there.
 */
export const searchRoutes = (features: SearchFeatures): Hono =>
  new Hono()
    .get(
      `${portalPaths.organizations}/:organizationId/search`,
      withOrganization(features)(async (c, organization) => {
        const { organizationId } = organization
        const asked = askedIn(c)
        const hits = await features.search.find(organizationId, asked)
        const [only] = hits
        if (only && hits.length === 1) return seeOther(c, pageOfHit(organizationId, only))
        return respondWithPage(c, searchPage(pageRequestData(c, features), organization, { asked, hits }))
      }),
    )
    .get(portalPaths.searchEverywhere, async c => {
      const asked = askedIn(c)
      const { organizationId } = await features.access.permits(c)
      if (organizationId !== undefined)
        return seeOther(c, `${portalPaths.search(organizationId)}?${new URLSearchParams({ q: asked })}`)
      const found = await searchEverywhere(features, asked)
      const [only] = found
      if (only && found.length === 1) return seeOther(c, pageOfHit(only.organizationId, only.hit))
      return respondWithPage(c, searchEverywherePage(asked, found, found.length >= ENOUGH))
    })

const askedIn = (c: Context): string => [...(c.req.query('q') ?? '').trim()].slice(0, MOST).join('')

/** Searches one organization after the other, in order of creation, until enough is found. */
const searchEverywhere = async (
  { organizations, search }: SearchFeatures,
  asked: string,
): Promise<FoundSomewhere[]> => {
  const found: FoundSomewhere[] = []
  for (let from = 0, all = 1; asked !== '' && from < all && found.length < ENOUGH; from += PAGE) {
    const page = await organizations.search({ text: '', from, limit: PAGE })
    all = page.all
    for (const { organizationId } of page.found) {
      if (found.length >= ENOUGH) break
      const hits = await search.find(organizationId, asked)
      found.push(...hits.map(hit => ({ organizationId, hit })))
    }
  }
  return found
}
