import { createPrivateKey, createPublicKey, hash, randomUUID, sign, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { insertInto } from './insert-into.ts'

// The least that an honest server of this contract can do for one initiate, and not a line more: the measure for Assay.
// Same TLS and client certificate, digest, one ECDSA P-256 verification, token look-up, one insert, one P-256 signature.

export type FloorSettings = {
  serverKey: string
  serverCertificate: string
  clientAuthority: string
  clientKey: string
  token: string
  database: string
}

process.once('message', (settings: FloorSettings) => start(settings))

const [signAsync, verifyAsync] = [promisify(sign), promisify(verify)]

function start(settings: FloorSettings): void {
  const { serverKey: key, serverCertificate: cert, clientAuthority: ca } = settings
  const tls = { key, cert, ca, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' } as const
  const server = createServer(tls, answerWith(settings))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

function answerWith({ clientKey, serverKey, token, database }: FloorSettings) {
  const publicKey = createPublicKey(clientKey)
  const privateKey = createPrivateKey(serverKey)
  const tokens = new Set([hash('sha256', token)])
  const save = insertInto(database)

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
      const signed = await verifyAsync('sha256', requestBase(request), publicKey, signature)
      if (!certified || !intact || !signed || !known) return response.writeHead(401).end()
      const id = randomUUID()
      save(id, String(headers['idempotency-key']), body.toString())
      await answer(response, { transactionId: id, ...JSON.parse(body.toString()) }, privateKey)
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

async function answer(response: ServerResponse, content: object, key: ReturnType<typeof createPrivateKey>) {
  const body = Buffer.from(JSON.stringify(content))
  const digest = `sha-512=:${hash('sha512', body, 'base64')}:`
  const covered = '("content-digest" "content-type" "content-length" "@status")'
  const input = `service_sig=${covered};keyid="floor";created=${Math.floor(Date.now() / 1000)}`
  const values = `"content-digest": ${digest}\n"content-type": application/json\n"content-length": ${body.length}\n"@status": 200`
  const signature = await signAsync('sha256', Buffer.from(`${values}\n"@signature-params": ${input}`), key)
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      'content-digest': digest,
      'signature-input': input,
      signature: `service_sig=:${signature.toString('base64')}:`,
    })
    .end(body)
}
