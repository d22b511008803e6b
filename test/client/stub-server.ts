import 'reflect-metadata'

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as x509 from '@peculiar/x509'
import type { Identity } from '../../contracts/client/credentials.ts'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Creates a self-signed certificate for localhost with its private key. */
const localhostIdentity = async (): Promise<Identity> => {
  const keys = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: EC,
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2049-01-01'),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`
  return { certificate: certificate.toString('pem'), privateKey }
}

/** Starts an HTTPS server for tests of the merchant client, with a self-signed certificate and this request handler. */
export const startStubServer = async (handler: (incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
  const { certificate, privateKey } = await localhostIdentity()
  const server = createServer({ cert: certificate, key: privateKey }, handler).listen(0)
  await new Promise(resolve => server.once('listening', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: certificate,
    stop: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}
