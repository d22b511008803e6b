import { createIds } from '../simulator/ids.ts'
import { createAuthority, openAuthority } from '../simulator/operator/authority.ts'

/** A server certificate made as Assay makes its own, for the bare server, so that their handshakes cost the same. */
export async function floorCertificate(): Promise<{ authority: string; serverKey: string; serverCertificate: string }> {
  const parts = { now: Date.now, ids: createIds() }
  const root = await createAuthority(parts)
  const server = await (await openAuthority(root, parts)).issueServer(['localhost'])
  return { authority: root.certificate, serverKey: server.privateKey, serverCertificate: server.certificate }
}
