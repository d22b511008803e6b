import type { AlgorithmName } from '../../contracts/protocol/algorithms.ts'

export type SigningKeyRecord = {
  keyId: string
  organizationId: string
  algorithm: AlgorithmName
  /** PEM, one spelling for one key, so that equal keys are equal texts. */
  publicKey: string
  /** On the organization's clock, as are the other two. */
  registeredAt: number
  expiresAt: number
  deregisteredAt?: number
}

export type CertificateRecord = {
  fingerprint: string
  organizationId: string
  pem: string
  /** The key that it certifies, spelled as in a signing key. */
  publicKey: string
  /** In real time, as certificates are. */
  registeredAt: number
  revokedAt?: number
}

/** What became of a key or certificate: saved, there before, or at odds with 5.1, because its key has the other purpose. */
export type Registered = 'saved' | 'known' | 'other-purpose'

/** The part of the port that keeps by what an organization is known: certificates and signing keys (5.1, 5.2). */
export type IdentityStore = {
  /** Whoever's it is, and revoked ones too. */
  certificate(fingerprint: string): Promise<CertificateRecord | undefined>
  /** In the order of registration, revoked ones among them; the same holds for keys. */
  certificates(organizationId: string): Promise<readonly CertificateRecord[]>
  /** Atomic, so that no key pair of an organization ever both signs and certifies (5.1). */
  addCertificate(certificate: CertificateRecord): Promise<Registered>
  revokeCertificate(organizationId: string, fingerprint: string, now: number): Promise<CertificateRecord | undefined>
  signingKey(organizationId: string, keyId: string): Promise<SigningKeyRecord | undefined>
  signingKeys(organizationId: string): Promise<readonly SigningKeyRecord[]>
  /** Atomic as addCertificate is; a key that was deregistered is taken up anew. */
  addSigningKey(key: SigningKeyRecord): Promise<Registered>
  deregisterSigningKey(organizationId: string, keyId: string, now: number): Promise<SigningKeyRecord | undefined>
  /** Lets a key end at another time than it was registered for. */
  setSigningKeyEnd(organizationId: string, keyId: string, expiresAt: number): Promise<void>
}
