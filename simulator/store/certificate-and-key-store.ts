import type { AlgorithmName } from '../../contracts/protocol/signature-algorithms.ts'

export type SigningKeyRecord = {
  keyId: string
  organizationId: string
  algorithm: AlgorithmName
  /** PEM in one canonical form, so that equal keys are equal strings. */
  publicKey: string
  /** On the organization's clock, like the next two. */
  registeredAt: number
  expiresAt: number
  deregisteredAt?: number
}

export type SigningKeyValidity = Pick<SigningKeyRecord, 'registeredAt' | 'expiresAt'>

export type CertificateRecord = {
  fingerprint: string
  organizationId: string
  pem: string
  /** The certified public key, in the same PEM form as that of a signing key. */
  publicKey: string
  /** Real time, like the validity of a certificate. */
  registeredAt: number
  revokedAt?: number
}

/**
 * Result of registering a certificate or key: saved, known, or refused as its key pair has the other purpose (5.1) or as
 * there are too many.
 */
export type RegistrationResult = 'saved' | 'known' | 'other-purpose' | 'full'

/** Number of certificates of an organization, and of its signing keys: lists, search and portal read them all. */
export const MOST_REGISTERED = 200

/** Store operations for client certificates and signing keys (5.1, 5.2). */
export type CertificateAndKeyStore = {
  /** Certificate of any organization by its fingerprint, also a revoked one. */
  certificate(fingerprint: string): Promise<CertificateRecord | undefined>
  /** Certificates in order of registration, revoked ones included; signingKeys does the same for keys. */
  certificates(organizationId: string): Promise<readonly CertificateRecord[]>
  /**
   * Atomic, so that no key pair of an organization ever both signs and certifies (5.1). Of too many, the first that was
   * revoked gives way.
   */
  addCertificate(certificate: CertificateRecord): Promise<RegistrationResult>
  revokeCertificate(organizationId: string, fingerprint: string, now: number): Promise<CertificateRecord | undefined>
  signingKey(organizationId: string, keyId: string): Promise<SigningKeyRecord | undefined>
  signingKeys(organizationId: string): Promise<readonly SigningKeyRecord[]>
  /**
   * Atomic like addCertificate; a deregistered key is registered again with the validity that it had. Of too many, the
   * first that was deregistered or has expired gives way.
   */
  addSigningKey(key: SigningKeyRecord): Promise<RegistrationResult>
  deregisterSigningKey(organizationId: string, keyId: string, now: number): Promise<SigningKeyRecord | undefined>
  /** Changes from when and until when a signing key is valid. */
  setSigningKeyValidity(organizationId: string, keyId: string, validity: SigningKeyValidity): Promise<void>
}
