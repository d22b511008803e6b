import { type Context, Hono } from 'hono'
import { type LiveChanges, respondWithStages } from '../live-stream.ts'
import { findOrganizations, type Organizations } from '../organization-search-and-pagination.ts'
import { sayFor } from '../page-language.ts'
import { respondNotFound, respondTooMany, respondWithPage, seeOther } from '../page-response.ts'
import { formResult } from '../portal/forms/form-result.ts'
import { signInPath } from '../portal/sign-in/sign-in-routes.ts'
import { paths } from '../shopper-paths.ts'
import { bankChoicePage, type OwnPhone, stageOfPhones } from './bank-choice-page.ts'
import { organizationChoicePage } from './organization-choice-page.ts'
import type { BlikBank, Phone, PhoneMemory } from './phone-and-code-types.ts'
import { phonesIn } from './phone-cookie.ts'
import { readField } from './read-decision.ts'

/** Features of the simulator that the choice of a BLIK phone needs. */
export type PhoneChoiceFeatures = Organizations &
  LiveChanges & {
    phones: {
      banks: readonly BlikBank[]
      /** Creates a phone; fails where an organization has so many that pages make no more. */
      create: (organizationId: string, bankId: string, maker?: 'page') => Promise<Phone>
      find: (organizationId: string, phoneId: string) => Promise<Phone | undefined>
    }
    phoneMemory: { of: (organizationId: string, phoneId: string) => Promise<PhoneMemory> }
  }

/** Who asks for a phone without naming an organization: the operator sees all, the holder of a token its own. */
export type PhoneAccess = {
  isOperator: (c: Context) => boolean
  ownOrganization: (c: Context) => Promise<string | undefined>
}

const BLIK = '/blik/:organizationId'

/** Organizations on one page of their choice. */
const LINES = 20

/** Creates the routes on which a shopper chooses a phone: of which organization, one of their own, or one of a bank. */
export const phoneChoiceRoutes = (features: PhoneChoiceFeatures, access: PhoneAccess): Hono => {
  const { organizations, phones, phoneMemory } = features

  const ownPhones = async (c: Context, organizationId: string): Promise<OwnPhone[]> => {
    const found = await Promise.all(phonesIn(c).map(phoneId => phones.find(organizationId, phoneId)))
    return Promise.all(
      found
        .flatMap(phone => phone ?? [])
        .map(async phone => ({
          phone,
          memory: await phoneMemory.of(organizationId, phone.phoneId),
        })),
    )
  }

  const withOrganization =
    (use: (c: Context, organizationId: string) => Response | Promise<Response>) => async (c: Context) => {
      const organization = await organizations.find(c.req.param('organizationId') ?? '')
      return organization ? use(c, organization.organizationId) : respondNotFound(c)
    }

  return new Hono()
    .get(paths.anyPhone, async c => {
      const own = await access.ownOrganization(c)
      if (own !== undefined) return c.redirect(paths.blik(own))
      if (!access.isOperator(c)) return seeOther(c, signInPath(c))
      const list = await findOrganizations(c, features, LINES)
      const [only] = list.found
      if (list.all > 1) return respondWithPage(c, organizationChoicePage(sayFor(c), list))
      return only ? c.redirect(paths.blik(only.organizationId)) : respondNotFound(c)
    })
    .get(
      BLIK,
      withOrganization(async (c, organizationId) => {
        const own = await ownPhones(c, organizationId)
        return respondWithPage(c, bankChoicePage(sayFor(c), { organizationId }, phones.banks, own))
      }),
    )
    .get(
      `${BLIK}/stream`,
      withOrganization((c, organizationId) => {
        const look = async () => {
          if (!(await organizations.find(organizationId))) return undefined
          return { stage: stageOfPhones(await ownPhones(c, organizationId)), now: 0, rate: 0, expiresAt: 0 }
        }
        return respondWithStages(features, c, organizationId, look)
      }),
    )
    .post(
      `${BLIK}/phones`,
      withOrganization(async (c, organizationId) => {
        const bankId = await readField(c, 'bank')
        if (!phones.banks.some(({ id }) => id === bankId)) return seeOther(c, paths.blik(organizationId))
        const made = await formResult(() => phones.create(organizationId, bankId, 'page'))
        if ('refused' in made) return respondTooMany(c, 'Phones')
        return seeOther(c, paths.phone(organizationId, made.done.phoneId))
      }),
    )
}
