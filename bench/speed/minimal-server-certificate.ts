import {
  createCertificateAuthority,
  openCertificateAuthority,
} from '../../simulator/installation/certificate-authority.ts'
import { createIds } from '../../simulator/support/ids.ts'

/** Creates the minimal server's TLS certificate as Assay creates its own, so that their handshakes cost the same. */
export async function createMinimalServerCertificate(): Promise<{
  authority: string
  serverKey: string
  serverCertificate: string
}> {
  const parts = { now: Date.now, ids: createIds() }
  const root = await createCertificateAuthority(parts)
  const server = await (await openCertificateAuthority(root, parts)).issueServer(['localhost'])
  return { authority: root.certificate, serverKey: server.privateKey, serverCertificate: server.certificate }
}
