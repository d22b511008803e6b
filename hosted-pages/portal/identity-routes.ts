import { Hono } from 'hono'
import { answerNotFound, answerPage } from '../answer.ts'
import { certificatePage } from './certificate-page.ts'
import { formAct, type Given, pageOf, type Show, statusOf } from './form-act.ts'
import { identitiesPage } from './identities-page.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { visitOf } from './visit.ts'

const organization = `${portalPaths.organizations}/:organizationId`
const certificates = `${organization}/certificates`
const certificate = `${certificates}/:fingerprint`
const PEM = { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' }

/** Keys and certificates: looked at, made, taken along, ended (5.1, 5.2). */
export const identityRoutes = (port: PortalPort): Hono => {
  const { identities } = port
  const [of, act, show] = [pageOf(port), formAct(port), showAll(port)]
  const toAll = ({ organizationId }: Given) => portalPaths.identities(organizationId)
  const toOne = ({ organizationId }: Given, made: string) => portalPaths.certificate(organizationId, made)

  const register = ({ organizationId, typed }: Given) => identities.registerKey(organizationId, typed.publicKey ?? '')
  const deregister = ({ organizationId, id }: Given) => identities.deregisterKey(organizationId, id)
  const issue = ({ organizationId, typed }: Given) => identities.issue(organizationId, typed.csr ?? '')
  const trust = ({ organizationId, typed }: Given) => identities.trust(organizationId, typed.certificate ?? '')
  const renew = ({ organizationId }: Given) => identities.renewKit(organizationId)
  const revoke = ({ organizationId, id }: Given) => identities.revoke(organizationId, id)

  return new Hono()
    .get(`${organization}/identities`, of(show))
    .post(`${organization}/keys`, act({ ask: register, show, done: 'key-registered', to: toAll }))
    .post(`${organization}/keys/:keyId/deregister`, act({ ask: deregister, show, done: 'key-deregistered', to: toAll }))
    .post(`${organization}/kit`, act({ ask: renew, show, done: 'kit-renewed', to: toOne }))
    .post(certificates, act({ ask: issue, show, done: 'certificate-issued', to: toOne }))
    .post(`${certificates}/trusted`, act({ ask: trust, show, done: 'certificate-trusted', to: toOne }))
    .get(certificate, of(showOne(port)))
    .get(`${certificate}/certificate.pem`, of(sendPem(port, 'certificate')))
    .get(`${certificate}/ca.pem`, of(sendPem(port, 'ca')))
    .post(`${certificate}/revoke`, act({ ask: revoke, show, done: 'certificate-revoked', to: toOne }))
}

const showAll =
  (port: PortalPort): Show =>
  async (c, organization, form = {}) => {
    const { identities } = port
    const { organizationId } = organization
    const [keys, certificates] = await Promise.all([
      identities.keys(organizationId),
      identities.certificates(organizationId),
    ])
    const all = { keys, certificates, realNow: identities.realNow() }
    return answerPage(c, identitiesPage(visitOf(c, port, form), organization, all), 'here', statusOf(form))
  }

const showOne =
  (port: PortalPort): Show =>
  async (c, organization) => {
    const found = await port.identities.certificate(organization.organizationId, c.req.param('fingerprint') ?? '')
    return found ? answerPage(c, certificatePage(visitOf(c, port), organization, found)) : answerNotFound(c)
  }

const sendPem =
  ({ identities }: PortalPort, name: 'certificate' | 'ca'): Show =>
  async (c, { organizationId }) => {
    const found = await identities.certificate(organizationId, c.req.param('fingerprint') ?? '')
    return found ? c.body(found[name], 200, PEM) : answerNotFound(c)
  }
