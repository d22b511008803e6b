import type { Hono } from 'hono'
import { ControlError } from '../support/control-error.ts'
import { readJsonMembers, readTextMembers } from './read-request.ts'
import type { RouteDependencies } from './route-dependencies.ts'

/** Adds the routes of control for signing keys (5.2), client certificates (5.1) and the revocation of tokens (7.3). */
export const addKeyAndCertificateRoutes = (
  control: Hono,
  { controlPlane, organizationOf, organizationIdOf }: RouteDependencies,
): void => {
  const { certificates, signingKeys, tokens } = controlPlane

  control.get('/organizations/:organizationId/signing-keys', async c =>
    c.json({ signingKeys: await signingKeys.list(await organizationIdOf(c)) }),
  )
  control.post('/organizations/:organizationId/signing-keys', async c => {
    const organizationId = await organizationIdOf(c)
    const { publicKey } = await readJsonMembers(c, ['publicKey'])
    return c.json(await signingKeys.register(organizationId, publicKey), 201)
  })
  control.delete('/organizations/:organizationId/signing-keys/:keyId', async c =>
    c.json(await signingKeys.deregister(await organizationIdOf(c), c.req.param('keyId'))),
  )

  control.post('/organizations/:organizationId/tokens/revoke', async c => {
    const organization = await organizationOf(c)
    const { token } = await readTextMembers(c, ['token'])
    if (token === undefined) await tokens.revokeAll(organization.organizationId)
    else await tokens.revoke(organization, token)
    return c.json({ revoked: token === undefined ? 'all' : 'one' })
  })

  control.get('/organizations/:organizationId/certificates', async c =>
    c.json({ certificates: await certificates.list(await organizationIdOf(c)) }),
  )
  control.post('/organizations/:organizationId/certificates', async c => {
    const organizationId = await organizationIdOf(c)
    const { csr, certificate, validTo } = await readTextMembers(c, ['csr', 'certificate', 'validTo'])
    if (csr !== undefined && certificate === undefined)
      return c.json(await certificates.issue(organizationId, csr, validTo), 201)
    if (certificate !== undefined && csr === undefined && validTo === undefined)
      return c.json(await certificates.register(organizationId, certificate), 201)
    throw new ControlError(
      'invalid',
      'Give either csr, and validTo if you like, to have a certificate issued, or certificate to have your own trusted.',
    )
  })
  control.get('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.find(await organizationIdOf(c), c.req.param('fingerprint'))),
  )
  control.delete('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.revoke(await organizationIdOf(c), c.req.param('fingerprint'))),
  )
}
