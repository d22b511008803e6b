import { Hono } from 'hono'
import { seeOther } from '../answer.ts'
import { accessRoutes } from './access-routes.ts'
import { capabilityRoutes } from './capability-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { conductRoutes } from './conduct-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endpointRoutes } from './endpoint-routes.ts'
import { identityRoutes } from './identity-routes.ts'
import { journalRoutes } from './journal-routes.ts'
import { labRoutes } from './lab/lab-routes.ts'
import { organizationRoutes } from './organization-routes.ts'
import { portalPaths } from './paths.ts'
import { paymentRoutes } from './payment-routes.ts'
import type { PortalPort } from './port.ts'
import { reportRoutes } from './report-routes.ts'
import { scenarioRoutes } from './scenario-routes.ts'

/** The operator portal ({portal_url}): everything that an operator looks at and changes, page by page. */
export function portalRoutes(port: PortalPort): Hono {
  const portal = new Hono()
  portal.route('/', accessRoutes(port))
  portal.get(portalPaths.root, c => seeOther(c, portalPaths.organizations))
  portal.route('/', organizationRoutes(port))
  portal.route('/', identityRoutes(port))
  portal.route('/', endpointRoutes(port))
  portal.route('/', deliveryRoutes(port))
  portal.route('/', reportRoutes(port))
  portal.route('/', capabilityRoutes(port))
  portal.route('/', journalRoutes(port))
  portal.route('/', labRoutes(port))
  portal.route('/', paymentRoutes(port))
  portal.route('/', scenarioRoutes(port))
  portal.route('/', clockRoutes(port))
  portal.route('/', conductRoutes(port))
  return portal
}
