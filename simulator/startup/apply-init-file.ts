import { X509Certificate } from 'node:crypto'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { deriveKeyId } from '../installation/create-signing-key-pairs.ts'
import { readPublicSigningKey } from '../installation/read-public-key.ts'
import { ControlError } from '../support/control-error.ts'
import { StartError } from '../support/start-error.ts'
import type { InitialOrganization } from './read-init-file.ts'

type Features = Pick<ControlPlaneFeatures, 'organizations' | 'certificates' | 'signingKeys' | 'endpoints' | 'mocks'>

/**
 * Creates the organizations of the file that `--init` names, where they do not exist yet. What an earlier start made
 * stays: a key or certificate that was revoked since is not registered again, and a webhook endpoint that was changed since is left
 * so. Throws StartError.
 */
export const applyInitFile = async (features: Features, wanted: readonly InitialOrganization[], file = '') => {
  for (const organization of wanted) {
    try {
      await ensureOrganization(features, organization)
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      throw new StartError(`${file}, organization ${organization.id}: ${error.message}`)
    }
  }
}

const ensureOrganization = async (features: Features, wanted: InitialOrganization): Promise<void> => {
  const { organizations, certificates, signingKeys, endpoints, mocks } = features
  const { id } = wanted
  if (!(await organizations.find(id))) await organizations.create(id)
  const registered = new Set((await certificates.list(id)).map(({ fingerprint }) => fingerprint))
  for (const pem of wanted.certificates ?? [])
    if (!registered.has(fingerprintOf(pem))) await certificates.register(id, pem)
  const known = new Set((await signingKeys.list(id)).map(({ keyId }) => keyId))
  for (const key of wanted.signingKeys ?? [])
    if (!known.has(deriveKeyId(id, readPublicSigningKey(key).publicKey))) await signingKeys.register(id, key)
  for (const { secret, ...endpoint } of wanted.webhooks ?? [])
    await endpoints.register(id, endpoint, secret, { isLeft: true })
  const { processingAccountIds } = await organizations.credentials(id)
  for (const scenario of wanted.scenarios ?? [])
    await mocks.set(id, { type: 'PASSTHROUGH', processingAccountId: processingAccountIds[0], ...scenario })
}

/** The fingerprint of a certificate; '' for what is none, which its registration refuses. */
const fingerprintOf = (pem: string): string => {
  try {
    return new X509Certificate(pem).fingerprint256
  } catch {
    return ''
  }
}
