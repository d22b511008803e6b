import { createPrivateKey, createPublicKey, hash, randomUUID, sign, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { nowSeconds } from '../../contracts/client/wall-clock.ts'
import { prepareInsert } from './prepared-insert.ts'

// Reference server for Assay: the least that a server of this contract must do for one initiate. The same TLS and
// client certificate, digest, one ECDSA P-256 verification, token look-up, one insert, one P-256 signature.

type MinimalServerSettings = {
  serverKey: string
  serverCertificate: string
  clientAuthority: string
  clientKey: string
  token: string
  database: string
  /** Verifies and signs on the event loop instead of the thread pool. */
  oneCore?: boolean
}

process.once('message', (settings: MinimalServerSettings) => start(settings))

function start(settings: MinimalServerSettings): void {
  const { serverKey: key, serverCertificate: cert, clientAuthority: ca } = settings
  const tls = { key, cert, ca, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' } as const
  const server = createServer(tls, answerWith(settings))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

const onThreads = { sign: promisify(sign), verify: promisify(verify) }

function answerWith({ clientKey, serverKey, token, database, oneCore = false }: MinimalServerSettings) {
  const cryptography = oneCore ? { sign, verify } : onThreads
  const publicKey = createPublicKey(clientKey)
  const privateKey = createPrivateKey(serverKey)
  const tokens = new Set([hash('sha256', token)])
  const save = prepareInsert(database)

  return (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { headers, socket } = request
      const certified = (socket as TLSSocket).authorized
      const known = tokens.has(hash('sha256', headers.authorization?.slice('Bearer '.length) ?? ''))
      const intact = headers['content-digest'] === `sha-256=:${hash('sha256', body, 'base64')}:`
      const signature = Buffer.from(String(headers.signature).slice('service_sig=:'.length, -1), 'base64')
      const signed = await cryptography.verify('sha256', requestBase(request), publicKey, signature)
      if (!certified || !intact || !signed || !known) return response.writeHead(401).end()
      const id = randomUUID()
      save(id, String(headers['idempotency-key']), body.toString())
      const content = Buffer.from(JSON.stringify({ transactionId: id, ...JSON.parse(body.toString()) }))
      const { headers: signedHeaders, base } = answerTo(content)
      const answered = await cryptography.sign('sha256', base, privateKey)
      response
        .writeHead(200, { ...signedHeaders, signature: `service_sig=:${answered.toString('base64')}:` })
        .end(content)
    })
  }
}

function requestBase({ headers, method, url }: IncomingMessage): Buffer {
  const lines = [
    `"@authority": ${headers.host?.split(':')[0]}`,
    `"@method": ${method}`,
    `"@request-target": ${url}`,
    `"content-digest": ${headers['content-digest']}`,
    `"content-type": ${headers['content-type']}`,
    `"content-length": ${headers['content-length']}`,
    `"@signature-params": ${headers['signature-input']}`,
  ]
  return Buffer.from(lines.join('\n'))
}

function answerTo(body: Buffer) {
  const digest = `sha-512=:${hash('sha512', body, 'base64')}:`
  const covered = '("content-digest" "content-type" "content-length" "@status")'
  const input = `service_sig=${covered};keyid="floor";created=${nowSeconds()}`
  const values = `"content-digest": ${digest}\n"content-type": application/json\n"content-length": ${body.length}\n"@status": 200`
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'content-digest': digest,
    'signature-input': input,
  }
  return { headers, base: Buffer.from(`${values}\n"@signature-params": ${input}`) }
}
