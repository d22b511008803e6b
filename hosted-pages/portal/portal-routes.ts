import { Hono } from 'hono'
import { seeOther } from '../page-response.ts'
import { type CapabilityFeatures, capabilityRoutes } from './capabilities/capability-routes.ts'
import { type ClockFeatures, clockRoutes } from './clock/clock-routes.ts'
import { type ConductFeatures, conductAndDrillRoutes } from './conduct/conduct-and-drill-routes.ts'
import { type ReportFeatures, reportRoutes } from './daily-reports/report-routes.ts'
import { type DialectFeatures, dialectRoutes } from './dialect/dialect-routes.ts'
import { formPathRoutes } from './forms/form-path-routes.ts'
import { type JournalFeatures, journalRoutes } from './journal/journal-routes.ts'
import {
  type KeyAndCertificateFeatures,
  keyAndCertificateRoutes,
} from './keys-and-certificates/key-and-certificate-routes.ts'
import { liveRoutes } from './live/live-routes.ts'
import { type OrganizationFeatures, organizationRoutes } from './organizations/organization-routes.ts'
import { overviewRoutes } from './overview/overview-routes.ts'
import type { OverviewFeatures } from './overview/overview-types.ts'
import { type PaymentFeatures, paymentRoutes } from './payments/payment-list-and-timeline-routes.ts'
import { portalPaths } from './portal-paths.ts'
import { type ScenarioFeatures, scenarioRoutes } from './scenarios/scenario-and-mock-routes.ts'
import { type SearchFeatures, searchRoutes } from './search/search-routes.ts'
import { type SignInFeatures, signInRoutes } from './sign-in/sign-in-routes.ts'
import { type SignatureLabFeatures, signatureLabRoutes } from './signature-lab/signature-lab-routes.ts'
import { type DeliveryFeatures, deliveryRoutes } from './webhooks/delivery-and-inbox-routes.ts'
import { type EndpointFeatures, endpointRoutes } from './webhooks/endpoint-routes.ts'

/** Features of the simulator behind the pages of the portal; the REST API of control uses the same features. */
export type PortalFeatures = SignInFeatures &
  OrganizationFeatures &
  OverviewFeatures &
  SearchFeatures &
  KeyAndCertificateFeatures &
  EndpointFeatures &
  DeliveryFeatures &
  ReportFeatures &
  CapabilityFeatures &
  DialectFeatures &
  JournalFeatures &
  SignatureLabFeatures &
  PaymentFeatures &
  ScenarioFeatures &
  ClockFeatures &
  ConductFeatures

/** Creates the routes of the operator portal ({portal_url}): all that an operator looks at and changes. */
export function portalRoutes(features: PortalFeatures): Hono {
  const portal = new Hono()
  portal.route('/', signInRoutes(features))
  portal.get(portalPaths.root, c => seeOther(c, portalPaths.organizations))
  portal.route('/', formPathRoutes())
  portal.route('/', liveRoutes(features))
  portal.route('/', organizationRoutes(features))
  portal.route('/', overviewRoutes(features))
  portal.route('/', searchRoutes(features))
  portal.route('/', keyAndCertificateRoutes(features))
  portal.route('/', endpointRoutes(features))
  portal.route('/', deliveryRoutes(features))
  portal.route('/', reportRoutes(features))
  portal.route('/', capabilityRoutes(features))
  portal.route('/', dialectRoutes(features))
  portal.route('/', journalRoutes(features))
  portal.route('/', signatureLabRoutes(features))
  portal.route('/', paymentRoutes(features))
  portal.route('/', scenarioRoutes(features))
  portal.route('/', clockRoutes(features))
  portal.route('/', conductAndDrillRoutes(features))
  return portal
}
