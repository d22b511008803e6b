import 'reflect-metadata'

import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { DAY } from '../support/duration.ts'
import type { Ids } from '../support/ids.ts'

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const TEN_YEARS = 3_650 * DAY
/** Validity of server certificates: browsers and some clients refuse a longer one. */
const SERVER_LIFE = 397 * DAY
const CLIENT_LIFE = 365 * DAY
/** How far before its issue a certificate's validity begins, for clients whose clock is slow. */
const BACKDATE = DAY

/** A certificate and its private key, both PEM. */
export type TlsIdentity = { certificate: string; privateKey: string }

/** The certificate authority of the installation (5.1), which issues server and client certificates. */
export type CertificateAuthority = {
  certificate: string
  issueServer(names: readonly string[]): Promise<TlsIdentity>
  issueClient(organizationId: string): Promise<TlsIdentity>
  /** PEM of a client certificate for a public key (SPKI, DER); `validTo`, epoch ms, may lie in the past. */
  certify(organizationId: string, publicKey: Buffer<ArrayBuffer>, validTo?: number): Promise<string>
}

type CertificateAuthorityParts = { now: () => number; ids: Ids }

/** Creates the self-signed certificate and the key of a new certificate authority. */
export const createCertificateAuthority = async ({ now, ids }: CertificateAuthorityParts): Promise<TlsIdentity> => {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: ids.serial(),
    name: 'CN=Assay Sandbox CA,O=Assay Sandbox',
    notBefore: new Date(now() - BACKDATE),
    notAfter: new Date(now() + TEN_YEARS),
    signingAlgorithm: CURVE,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate: pem(certificate), privateKey: await privatePem(keys) }
}

/** Opens a certificate authority from its certificate and key. */
export const openCertificateAuthority = async (
  identity: TlsIdentity,
  { now, ids }: CertificateAuthorityParts,
): Promise<CertificateAuthority> => {
  const issuer = new x509.X509Certificate(identity.certificate)
  const [block] = x509.PemConverter.decode(identity.privateKey)
  if (!block) throw new Error('The key of the certificate authority is not PEM.')
  const signingKey = await crypto.subtle.importKey('pkcs8', block, CURVE, false, ['sign'])

  const certify = async (
    name: x509.JsonName,
    publicKey: x509.PublicKey,
    validTo: number,
    extensions: x509.Extension[],
  ) =>
    x509.X509CertificateGenerator.create({
      serialNumber: ids.serial(),
      subject: name,
      issuer: issuer.subject,
      notBefore: new Date(Math.min(now(), validTo) - BACKDATE),
      notAfter: new Date(validTo),
      signingAlgorithm: CURVE,
      publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ...extensions,
      ],
    })
  const certifyClient = async (organizationId: string, publicKey: x509.PublicKey, validTo = now() + CLIENT_LIFE) =>
    pem(
      await certify([{ CN: [organizationId] }, { O: [organizationId] }], publicKey, validTo, [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      ]),
    )

  return {
    certificate: identity.certificate,
    issueServer: async names => {
      const keys = await newKeys()
      const subject = [{ CN: [names[0] ?? 'localhost'] }]
      const alternatives = names.map(name => ({ type: isIP(name) ? ('ip' as const) : ('dns' as const), value: name }))
      const publicKey = await x509.PublicKey.create(keys.publicKey)
      const certificate = await certify(subject, publicKey, now() + SERVER_LIFE, [
        new x509.SubjectAlternativeNameExtension(alternatives),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ])
      return { certificate: pem(certificate), privateKey: await privatePem(keys) }
    },
    issueClient: async organizationId => {
      const keys = await newKeys()
      const certificate = await certifyClient(organizationId, await x509.PublicKey.create(keys.publicKey))
      return { certificate, privateKey: await privatePem(keys) }
    },
    certify: (organizationId, publicKey, validTo) =>
      certifyClient(organizationId, new x509.PublicKey(publicKey), validTo),
  }
}

const newKeys = () => crypto.subtle.generateKey(CURVE, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

const pem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`

const privatePem = async ({ privateKey }: CryptoKeyPair): Promise<string> =>
  `${x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')}\n`
