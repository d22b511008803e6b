import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { TlsIdentity } from './certificate-authority.ts'

/** Whether a private key is that of a certificate, both PEM. Throws where either cannot be read. */
export const isPair = ({ certificate, privateKey }: TlsIdentity): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))
