import 'reflect-metadata'

import { KeyObject } from 'node:crypto'
import {
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

type CertificateOptions = { subject?: string; from?: number; to?: number; extensions?: Extension[] }

const HOUR = 3_600_000
const SAN = '2.5.29.17'
const raw = (oid: string, bytes: string, isCritical = false) =>
  new Extension(oid, isCritical, Buffer.from(bytes, 'latin1'))
const usage = (flags: KeyUsageFlags) => new KeyUsagesExtension(flags, true)
const forServers = new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1'], true)

/** Unusual but valid certificates: in names, validity, usage and unknown extensions. */
// biome-ignore format: a table reads by its columns
const UNUSUAL_OPTIONS: readonly CertificateOptions[] = [
  {},
  { subject: '' },
  { subject: 'CN=<script>alert(1)</script>, O=\u202e\u0000\u0007, C=PL' },
  { subject: Array.from({ length: 300 }, (_, n) => `OU=unit ${n}`).join(',') },
  { from: -9_000 * 24, to: -1 },
  { from: 1, to: 9_000 * 24 },
  { from: 1, to: -1 },
  { extensions: [usage(KeyUsageFlags.keyCertSign)] },
  { extensions: [usage(KeyUsageFlags.keyEncipherment), forServers] },
  { extensions: [raw(SAN, '0\x06\x82\x04a\0b.'), raw(SAN, '0\x03\x87\x01\x7f')] },
  { extensions: [raw(SAN, '0\x80\xff\xff', true)] },
  { extensions: [raw('1.2.3.4', 'x', true)] },
  { extensions: [raw('1.2.3.4', 'x'.repeat(8_000))] },
  { extensions: [raw('1.2.3.4', 'x'.repeat(70_000))] },
  { extensions: [raw('2.5.29.19', '0\x06\x01\x01\xff\x02\x01\0', true)] },
  { extensions: Array.from({ length: 200 }, () => raw('2.5.29.14', '\x04\x01a')) },
]

const KEY_KINDS = [
  { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  { name: 'Ed25519' },
]

type UnusualCertificate = { key: string; der: Uint8Array }

/** Creates self-signed certificates for fuzz targets, each unusual in one way, with keys of all kinds. */
export const unusualCertificates = async (): Promise<UnusualCertificate[]> => {
  const pairs = await Promise.all(
    KEY_KINDS.map(kind => crypto.subtle.generateKey(kind, true, ['sign', 'verify']) as Promise<CryptoKeyPair>),
  )
  const all = UNUSUAL_OPTIONS.map(async ({ subject = 'CN=unusual', from = -1, to = 1, extensions = [] }, index) => {
    const at = index % pairs.length
    const keys = pairs[at] as CryptoKeyPair
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: subject,
      keys,
      signingAlgorithm: KEY_KINDS[at] as EcdsaParams,
      notBefore: new Date(Date.now() + from * HOUR),
      notAfter: new Date(Date.now() + to * HOUR),
      extensions,
    })
    const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
    return { key, der: new Uint8Array(certificate.rawData) }
  })
  return Promise.all(all)
}
