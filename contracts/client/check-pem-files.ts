import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** An error in a kit or its keys; the message says how to correct it. */
export class CredentialsError extends Error {}

/** Names the place of one of the credentials in a message, such as `organization.privateKey in ours.yaml`. */
export type NameOfCredential = (member: string) => string

/** Parses a private key in PEM; throws a CredentialsError that begins with its name. */
export const parsePrivateKey = (pem: string, name: string): KeyObject => {
  if (/^Proc-Type: 4,ENCRYPTED|-----BEGIN ENCRYPTED PRIVATE KEY-----/m.test(pem))
    throw new CredentialsError(`${name} is encrypted: give the key without a passphrase ("openssl pkey" removes it).`)
  try {
    return createPrivateKey(pem)
  } catch {
    throw new CredentialsError(`${name} is no private key in PEM: give the key's own PEM file.`)
  }
}

/** Parses a certificate in PEM; throws a CredentialsError that begins with its name. */
export const parseCertificate = (pem: string, name: string): X509Certificate => {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new CredentialsError(`${name} is no certificate in PEM: give the certificate's own PEM file.`)
  }
}

/** Checks that TLS can use a client certificate with its private key; throws a CredentialsError that names both. */
export const checkIdentity = (
  { certificate, privateKey }: { certificate: string; privateKey: string },
  nameOf: NameOfCredential,
): void => {
  const [theCertificate, theKey] = [nameOf('certificate'), nameOf('privateKey')]
  const parsed = parseCertificate(certificate, theCertificate)
  if (!parsed.checkPrivateKey(parsePrivateKey(privateKey, theKey)))
    throw new CredentialsError(
      `${theKey} does not belong to ${theCertificate}: give the private key of that certificate, which is no signing key.`,
    )
  try {
    createSecureContext({ cert: certificate, key: privateKey })
  } catch (error) {
    const { code = 'no code' } = error as { code?: string }
    throw new CredentialsError(
      `${theCertificate} and ${theKey} cannot be used for TLS (${code}): have a certificate issued for a stronger key.`,
    )
  }
}
