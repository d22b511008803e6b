import { type Context, Hono } from 'hono'
import { firstOrganization, type OrganizationDirectory } from '../../organization-search-and-pagination.ts'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { controlPaths } from '../control-api-paths.ts'
import { statusOf } from '../forms/form-and-page-handlers.ts'
import { formResult } from '../forms/form-result.ts'
import { readFormValues } from '../forms/form-values.ts'
import { type PageRequestData, pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type Organization, type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from '../sign-in/sign-in-routes.ts'
import type { Diagnosis } from './diagnosis-types.ts'
import { type RefusedCall, type SignatureLab, signatureLabPage } from './signature-lab-page.ts'

/** Features of the simulator that the portal's page of the signature lab needs. */
export type SignatureLabFeatures = OrganizationPages &
  OrganizationDirectory & {
    access: Pick<SignInFeatures['access'], 'permits'>
    lab: {
      /** Examines a pasted request or a call of the journal; `base` is what the client says it signed, `signs` whether the corrected request is signed. */
      examine: (
        organizationId: string,
        examined: Examined & { signs: boolean },
        gone: AbortSignal,
      ) => Promise<Diagnosis>
      /** The last calls that were refused for their signature, newest first. */
      refused: (organizationId: string, limit: number) => readonly RefusedCall[]
    }
  }
type Examined = Partial<Record<'request' | 'call' | 'base', string | undefined>>

/** Most refused calls that the signature lab page offers to examine. */
const OFFERED = 30

/** Creates the routes of the portal's signature lab, which examines a call of the journal or a pasted request. */
export const signatureLabRoutes = (features: SignatureLabFeatures): Hono => {
  const { lab } = features
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId/lab`
  const page = (
    c: Context,
    organization: Organization,
    shown: Partial<SignatureLab> = {},
    form: Partial<PageRequestData> = {},
  ) => {
    const refused = lab.refused(organization.organizationId, OFFERED)
    const context = pageRequestData(c, features, form)
    return respondWithPage(c, signatureLabPage(context, organization, { refused, ...shown }), 'here', statusOf(form))
  }
  const examine = async (
    c: Context,
    organization: Organization,
    examined: Examined,
    typed: PageRequestData['typed'] = {},
  ) => {
    const { organizationId } = organization
    const { may } = await features.access.permits(c)
    const signs = may?.('GET', controlPaths.kit(organizationId)) ?? true
    const result = await formResult(() => lab.examine(organizationId, { ...examined, signs }, c.req.raw.signal))
    return 'refused' in result
      ? page(c, organization, {}, { wrong: 'request', ...result, typed })
      : page(c, organization, { diagnosis: result.done, call: examined.call }, { typed })
  }
  return new Hono()
    .get(
      root,
      route((c, organization) => {
        const call = c.req.query('call')
        return call === undefined ? page(c, organization) : examine(c, organization, { call })
      }),
    )
    .post(
      root,
      route(async (c, organization) => {
        const typed = await readFormValues(c)
        const { request = '', base = '' } = typed
        return examine(c, organization, { request, ...(base === '' ? {} : { base: linesOf(base) }) }, typed)
      }),
    )
    .get(`${portalPaths.root}/lab`, async c => {
      const first = await firstOrganization(features)
      return seeOther(c, first === undefined ? portalPaths.organizations : portalPaths.lab(first))
    })
}

/** Restores the line ends of a pasted text, since a form sends every line end as CR LF. */
const linesOf = (text: string): string => text.replaceAll('\r\n', '\n')
