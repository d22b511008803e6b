import type { Context, Hono } from 'hono'
import type { Operator } from '../operator/operator.ts'
import { OperatorError } from '../operator/operator-error.ts'
import { readMembers, readObject } from './read-members.ts'

type Parts = { operator: Operator; known: (c: Context) => Promise<string> }

/** Signing keys (5.2) and client certificates (5.1) of an organization. */
export const addIdentityRoutes = (control: Hono, { operator, known }: Parts): void => {
  const { certificates, signingKeys } = operator

  control.get('/organizations/:organizationId/signing-keys', async c =>
    c.json({ signingKeys: await signingKeys.list(await known(c)) }),
  )
  control.post('/organizations/:organizationId/signing-keys', async c => {
    const organizationId = await known(c)
    const { publicKey } = await readObject(c, ['publicKey'])
    return c.json(await signingKeys.register(organizationId, publicKey), 201)
  })
  control.delete('/organizations/:organizationId/signing-keys/:keyId', async c =>
    c.json(await signingKeys.deregister(await known(c), c.req.param('keyId'))),
  )

  control.get('/organizations/:organizationId/certificates', async c =>
    c.json({ certificates: await certificates.list(await known(c)) }),
  )
  control.post('/organizations/:organizationId/certificates', async c => {
    const organizationId = await known(c)
    const { csr, certificate, validTo } = await readMembers(c, ['csr', 'certificate', 'validTo'])
    if (csr !== undefined && certificate === undefined)
      return c.json(await certificates.issue(organizationId, csr, validTo), 201)
    if (certificate !== undefined && csr === undefined && validTo === undefined)
      return c.json(await certificates.register(organizationId, certificate), 201)
    throw new OperatorError(
      'invalid',
      'Give either csr, and validTo if you like, to have a certificate issued, or certificate to have your own trusted.',
    )
  })
  control.get('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.find(await known(c), c.req.param('fingerprint'))),
  )
  control.delete('/organizations/:organizationId/certificates/:fingerprint', async c =>
    c.json(await certificates.revoke(await known(c), c.req.param('fingerprint'))),
  )
}
