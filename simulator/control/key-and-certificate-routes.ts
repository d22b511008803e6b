import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { ControlError } from '../support/control-error.ts'
import { readJsonMembers, readTextMembers } from './read-request.ts'

/** Adds the routes of control for signing keys (5.2), client certificates (5.1) and the revocation of tokens (7.3). */
export const addKeyAndCertificateRoutes = (
  control: Hono,
  { certificates, signingKeys, tokens }: ControlPlaneFeatures,
): void => {
  control.get('/organizations/:organizationId/signing-keys', async c =>
    c.json({ signingKeys: await signingKeys.list(c.var.organizationId) }),
  )
  control.post('/organizations/:organizationId/signing-keys', async c => {
    const { publicKey } = await readJsonMembers(c, ['publicKey'])
    return c.json(await signingKeys.register(c.var.organizationId, publicKey), 201)
  })
  control.delete('/organizations/:organizationId/signing-keys/:keyId', async c =>
    c.json(await signingKeys.deregister(c.var.organizationId, c.req.param('keyId'))),
  )

  control.post('/organizations/:organizationId/tokens/revoke', async c => {
    const { token } = await readTextMembers(c, ['token'])
    if (token === undefined) await tokens.revokeAll(c.var.organization.organizationId)
    else await tokens.revoke(c.var.organization, token)
    return c.json({ revoked: token === undefined ? 'all' : 'one' })
  })

  control.get('/organizations/:organizationId/certificates', async c =>
    c.json({ certificates: await certificates.list(c.var.organizationId) }),
  )
  control.post('/organizations/:organizationId/certificates', async c => {
    const { csr, certificate, validTo } = await readTextMembers(c, ['csr', 'certificate', 'validTo'])
    if (csr !== undefined && certificate === undefined)
      return c.json(await certificates.issue(c.var.organizationId, csr, validTo), 201)
    if (certificate !== undefined && csr === undefined && validTo === undefined)
      return c.json(await certificates.register(c.var.organizationId, certificate), 201)
    throw new ControlError(
      'invalid',
      'Give either csr, and validTo if you like, to have a certificate issued, or certificate to have your own trusted.',
    )
  })
  control.get('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.find(c.var.organizationId, c.req.param('fingerprint'))),
  )
  control.delete('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.revoke(c.var.organizationId, c.req.param('fingerprint'))),
  )
}
