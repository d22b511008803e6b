import { type Context, Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { BaseUrlResolver } from '../installation/base-url-resolver.ts'
import { createKit } from '../installation/merchant-kit.ts'
import { zipKit } from '../installation/zip-kit.ts'
import { isoTime } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { Refusal } from '../support/refusal.ts'
import { addBackupRoute } from './backup-route.ts'
import { addCapabilityRoutes } from './capability-routes.ts'
import { addClockRoutes } from './clock-routes.ts'
import { addOpenApiDescriptionRoutes, readControlDescription } from './control-openapi-description-routes.ts'
import { addControlTokenRoutes } from './control-token-routes.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { addReportRoutes } from './daily-report-routes.ts'
import { addDialectRoutes } from './dialect-routes.ts'
import { addFaultAndMockRoutes } from './fault-and-mock-routes.ts'
import { addInboxRoutes } from './inbox-routes.ts'
import { addJournalRoutes } from './journal-routes.ts'
import { addKeyAndCertificateRoutes } from './key-and-certificate-routes.ts'
import { addMerchantConductAndDrillRoutes } from './merchant-conduct-and-drill-routes.ts'
import { refuseForRemovedOrganization, requireOrganization } from './organization-of-path.ts'
import { addPaymentApiDescriptionRoute } from './payment-api-description.ts'
import { addPaymentListAndTimelineRoutes, type DrawTimeline } from './payment-list-and-timeline-routes.ts'
import { readApiUrl, readTextMembers } from './read-request.ts'
import { refuseUnknownQuery } from './refuse-unknown-query.ts'
import { requireControlToken, requireControlTokenAfterwards } from './require-control-token.ts'
import { addResetAndSnapshotRoutes } from './reset-and-snapshot-routes.ts'
import { addScenarioRoutes, addScenarioSchemaRoute } from './scenario-routes.ts'
import { addSearchAndStatisticsRoutes } from './search-and-statistics-routes.ts'
import { addShopperRoutes } from './shopper-phone-and-decision-routes.ts'
import { addSignatureDiagnosisRoutes } from './signature-diagnosis-routes.ts'
import type { createTurnsInOrganizations } from './take-turns-in-organization.ts'
import { addWebhookDeliveryRoutes } from './webhook-delivery-and-plan-routes.ts'
import { addWebhookEndpointRoutes } from './webhook-endpoint-routes.ts'

const HTTP_STATUS = { unknown: 404, invalid: 400, conflict: 409, busy: 429 } as const

type Parts = {
  controlPlane: ControlPlaneFeatures
  baseUrls: BaseUrlResolver
  /**
   * Gives the API a certificate for the host of its URL; throws where the host is none of this sandbox, or the
   * organization whose token asks for it has added too many addresses.
   */
  coverApiUrl: (url: string, organizationId?: string) => Promise<void>
  token: ControlTokenVerifier
  drawTimeline: DrawTimeline
  turns: ReturnType<typeof createTurnsInOrganizations>
}

/** Body of GET /control: links to the main resources. */
const CONTROL_INDEX = {
  about: 'Control of this sandbox: a REST API with JSON, beside the contract and not part of it.',
  version: '1.0.0',
  links: {
    description: '/control/openapi.yaml',
    organizations: '/control/organizations',
    journal: '/control/journal',
    kit: '/control/organizations/{organizationId}/kit',
    clock: '/control/organizations/{organizationId}/clock',
    scenarios: '/control/scenarios',
  },
} as const

/** Paths whose calls wait for something: whether they are permitted is judged again when that comes. */
const WAITING = [
  '/organizations/:organizationId/inbox/wait',
  '/organizations/:organizationId/webhooks/:endpointId/listen',
] as const

/** Creates the control API: the REST API of the control plane, with JSON, beside the contract, never part of it. */
export const createControlApi = ({ controlPlane, baseUrls, coverApiUrl, token, drawTimeline, turns }: Parts): Hono => {
  const control = new Hono()
  const urlsOf = async (c: Context, organizationId: string) => {
    const urls = baseUrls.forPagesCall(organizationId, c.req.header('host') ?? '', readApiUrl(c))
    const access = c.get('access')
    await coverApiUrl(urls.apiUrl, access === 'operator' ? undefined : access.organizationId)
    return urls
  }
  const kit = async (c: Context, organizationId: string) => {
    const urls = await urlsOf(c, organizationId)
    const credentials = await controlPlane.organizations.credentials(organizationId)
    return createKit(credentials, urls, controlPlane.dialects.of(organizationId))
  }

  addOpenApiDescriptionRoutes(control)
  addScenarioSchemaRoute(control)
  control.use(requireControlToken(token))
  control.use(refuseUnknownQuery(readControlDescription))
  for (const path of WAITING) control.use(path, requireControlTokenAfterwards(token))
  control.use('/organizations/:organizationId/:part/*', refuseForRemovedOrganization(controlPlane))
  turns.ofControl(control)
  control.use('/organizations/:organizationId/*', requireOrganization(controlPlane))
  control.get('/', c => {
    const variety = c.get('access') === 'operator' ? controlPlane.seed : undefined
    return c.json({ ...CONTROL_INDEX, ...(variety === undefined ? {} : { variety }) })
  })

  control.get('/organizations', async c => {
    const { find, list } = controlPlane.organizations
    const access = c.get('access')
    const own = access === 'operator' ? undefined : await find(access.organizationId)
    const shown = access === 'operator' ? await list() : own ? [own] : []
    const organizations = shown.map(({ organizationId, accountIds }) => {
      return { organizationId, processingAccountIds: accountIds, now: isoTime(controlPlane.now(organizationId)) }
    })
    return c.json({ organizations })
  })

  control.post('/organizations', async c => {
    const { id } = await readTextMembers(c, ['id'])
    await urlsOf(c, '') // refused before it is created
    const { organizationId } = await controlPlane.organizations.create(id)
    return c.json(await kit(c, organizationId), 201)
  })

  control.get('/organizations/:organizationId/kit', async c => c.json(await kit(c, c.var.organizationId)))

  control.get('/organizations/:organizationId/kit.zip', async c => {
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${c.var.organizationId}-kit.zip"`,
    }
    return c.body(zipKit(await kit(c, c.var.organizationId)), 200, headers)
  })

  control.post('/organizations/:organizationId/kit', async c => {
    await readTextMembers(c, [])
    await urlsOf(c, c.var.organizationId)
    await controlPlane.organizations.renew(c.var.organizationId)
    return c.json(await kit(c, c.var.organizationId), 201)
  })

  addCapabilityRoutes(control, controlPlane)
  addDialectRoutes(control, controlPlane)
  addPaymentApiDescriptionRoute(control, controlPlane)
  addResetAndSnapshotRoutes(control, controlPlane)
  addClockRoutes(control, controlPlane)
  addShopperRoutes(control, controlPlane)
  addKeyAndCertificateRoutes(control, controlPlane)
  addControlTokenRoutes(control, controlPlane, token)
  addReportRoutes(control, controlPlane)
  addScenarioRoutes(control, controlPlane)
  addFaultAndMockRoutes(control, controlPlane)
  addWebhookEndpointRoutes(control, controlPlane)
  addWebhookDeliveryRoutes(control, controlPlane)
  addInboxRoutes(control, controlPlane)

  addBackupRoute(control, controlPlane)
  addJournalRoutes(control, controlPlane, token)
  addSignatureDiagnosisRoutes(control, controlPlane)
  addSearchAndStatisticsRoutes(control, controlPlane)
  addPaymentListAndTimelineRoutes(control, controlPlane, drawTimeline)
  addMerchantConductAndDrillRoutes(control, controlPlane)

  control.all('*', c =>
    c.json(
      {
        error: `There is no ${c.req.method} ${new URL(c.req.url).pathname}: GET /control/openapi.yaml lists what there is.`,
      },
      404,
    ),
  )
  control.onError((error, c) => {
    if (error instanceof ControlError) return c.json({ error: error.message }, HTTP_STATUS[error.kind])
    if (error instanceof Refusal) return c.json({ error: error.message }, 409)
    throw error // all that is unexpected is reported and answered in one place
  })
  return control
}
