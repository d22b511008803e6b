import type { Wish } from './wish.ts'

/** Signing keys (5.2) and client certificates (5.1). Times are ISO 8601: of keys the organization's, of certificates real. */
export type IdentitiesPort = {
  keys(organizationId: string): Promise<readonly KeyView[]>
  /** PEM or JWK; the answer is the key's id, as of every function here the id of what it made or ended. */
  registerKey(organizationId: string, publicKey: string): Promise<Wish<string>>
  deregisterKey(organizationId: string, keyId: string): Promise<Wish<string>>

  certificates(organizationId: string): Promise<readonly CertificateView[]>
  certificate(organizationId: string, fingerprint: string): Promise<CertificateInFull | undefined>
  /** For the key of a CSR. */
  issue(organizationId: string, csr: string): Promise<Wish<string>>
  /** One that another authority signed. */
  trust(organizationId: string, certificate: string): Promise<Wish<string>>
  /** With a new key, both in the kit. */
  renewKit(organizationId: string): Promise<Wish<string>>
  revoke(organizationId: string, fingerprint: string): Promise<Wish<string>>
  /** Real time, epoch milliseconds. */
  realNow(): number
}

export type KeyView = {
  keyId: string
  algorithm: string
  registeredAt: string
  expiresAt: string
  deregisteredAt?: string
  state: 'active' | 'expiring' | 'expired' | 'deregistered'
}

export type CertificateView = {
  fingerprint: string
  subject: string
  serial: string
  validFrom: string
  validTo: string
  state: 'valid' | 'expired' | 'revoked'
}

/** With PEM texts. */
export type CertificateInFull = CertificateView & { certificate: string; ca: string }
