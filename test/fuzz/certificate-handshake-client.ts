import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** What a raw TLS client sends: any bytes as Certificate message (RFC 8446 4.4.2), its key, and a request. */
type PresentedCertificate = { certificate: Buffer; privateKey: string; request: string }
/** End of a connection: received text, and an alert number (RFC 8446 6), a reset, or silence. */
type HandshakeResult = { response: string; alert?: number; isReset?: true; isSilent?: true }

const PATIENCE = 20_000
/** Octets of a record. */
const LONGEST = 16_000
const digestOf = (octets: Uint8Array): Buffer => hash('sha256', octets, 'buffer')
const EMPTY = digestOf(Buffer.alloc(0))
const ZEROS = Buffer.alloc(32)

export const vector = (lengthBytes: number, ...bytes: Uint8Array[]): Buffer => {
  const body = Buffer.concat(bytes)
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(body.length, 0, lengthBytes)
  return Buffer.concat([length, body])
}
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const message = (type: number, body: Uint8Array): Buffer => Buffer.concat([Buffer.of(type), vector(3, body)])

const hello = (publicKey: Buffer): Buffer => {
  const extension = (type: string, body: Buffer) => Buffer.concat([hex(type), vector(2, body)])
  const extensions = [
    extension('002b', hex('02 0304')),
    extension('000a', vector(2, hex('001d'))),
    extension('000d', vector(2, hex('0403 0503 0603 0804 0807'))),
    extension('0033', vector(2, hex('001d'), vector(2, publicKey))),
  ]
  return message(1, Buffer.concat([hex('0303'), randomBytes(32), hex('00 0002 1301 01 00'), vector(2, ...extensions)]))
}

const extract = (salt: Uint8Array, secret: Uint8Array): Buffer => createHmac('sha256', salt).update(secret).digest()
const expand = (secret: Buffer, label: string, context: Uint8Array, length: number): Buffer => {
  const size = Buffer.of(0, length)
  const info = Buffer.concat([size, vector(1, Buffer.from(`tls13 ${label}`)), vector(1, context)])
  let [block, out] = [Buffer.alloc(0), Buffer.alloc(0)]
  for (let nth = 1; out.length < length; nth += 1) {
    block = createHmac('sha256', secret).update(block).update(info).update(Buffer.of(nth)).digest()
    out = Buffer.concat([out, block])
  }
  return out.subarray(0, length)
}

/** Encrypts and decrypts the records of one direction with one secret (RFC 8446 5.2). */
const protection = (secret: Buffer) => {
  const [key, iv] = [expand(secret, 'key', Buffer.alloc(0), 16), expand(secret, 'iv', Buffer.alloc(0), 12)]
  let sequence = 0
  const nonce = (): Buffer => {
    const own = Buffer.from(iv)
    own.writeUInt32BE((own.readUInt32BE(8) ^ sequence) >>> 0, 8)
    sequence += 1
    return own
  }
  return {
    seal: (type: number, body: Uint8Array): Buffer => {
      const head = Buffer.concat([hex('17 0303'), vector(2, Buffer.alloc(body.length + 17)).subarray(0, 2)])
      const cipher = createCipheriv('aes-128-gcm', key, nonce()).setAAD(head)
      return Buffer.concat([
        head,
        cipher.update(body),
        cipher.update(Buffer.of(type)),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open: (head: Buffer, body: Buffer): { type: number; body: Buffer } => {
      const cipher = createDecipheriv('aes-128-gcm', key, nonce()).setAAD(head).setAuthTag(body.subarray(-16))
      const plain = Buffer.concat([cipher.update(body.subarray(0, -16)), cipher.final()])
      return { type: plain.at(-1) ?? 0, body: plain.subarray(0, -1) }
    },
  }
}

type Protection = ReturnType<typeof protection>

type Framed = { head: Buffer; type: number; body: Buffer }

async function* recordsOf(socket: Socket): AsyncGenerator<Framed> {
  let buffered = Buffer.alloc(0)
  for await (const chunk of socket) {
    buffered = Buffer.concat([buffered, chunk])
    while (buffered.length >= 5 && buffered.length >= 5 + buffered.readUInt16BE(3)) {
      const end = 5 + buffered.readUInt16BE(3)
      yield { head: buffered.subarray(0, 5), type: buffered[0] ?? 0, body: buffered.subarray(5, end) }
      buffered = buffered.subarray(end)
    }
  }
}

/** The whole handshake messages at the beginning of some octets. */
const messagesIn = (octets: Buffer): Buffer[] => {
  if (octets.length < 4) return []
  const end = 4 + octets.readUIntBE(1, 3)
  return octets.length < end ? [] : [octets.subarray(0, end), ...messagesIn(octets.subarray(end))]
}

/** The public key that a ServerHello brings. */
const shareIn = (serverHello: Buffer): Buffer => {
  let at = 4 + 2 + 32 + 1 + (serverHello[38] ?? 0) + 2 + 1 + 2
  while (serverHello.readUInt16BE(at) !== 0x33) at += 4 + serverHello.readUInt16BE(at + 2)
  return serverHello.subarray(at + 8, at + 8 + serverHello.readUInt16BE(at + 6))
}

/** What stands before a key of X25519 in DER. */
const X25519 = hex('302a300506032b656e032100')

/** The secrets of a handshake (RFC 8446 7.1); the later ones are derived from the transcript up to there. */
const secretsOf = (privateKey: KeyObject, serverHello: Buffer, transcript: Buffer) => {
  const publicKey = createPublicKey({ key: Buffer.concat([X25519, shareIn(serverHello)]), type: 'spki', format: 'der' })
  const derive = (secret: Buffer, label: string, digest: Buffer) => expand(secret, label, digest, 32)
  const early = extract(ZEROS, ZEROS)
  const handshake = extract(derive(early, 'derived', EMPTY), diffieHellman({ privateKey, publicKey }))
  const master = extract(derive(handshake, 'derived', EMPTY), ZEROS)
  return {
    client: derive(handshake, 'c hs traffic', digestOf(transcript)),
    server: derive(handshake, 's hs traffic', digestOf(transcript)),
    application: (side: 'c' | 's', digest: Buffer) => derive(master, `${side} ap traffic`, digest),
  }
}
type Secrets = ReturnType<typeof secretsOf>

/** The words that a key of this kind signs by, and the number of the way (RFC 8446 4.2.3). */
const proofOf = (pem: string, digest: Buffer): Buffer => {
  const key = createPrivateKey(pem)
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  const response = Buffer.concat([Buffer.alloc(64, 0x20), Buffer.from('TLS 1.3, client CertificateVerify\0'), digest])
  const [scheme, algorithm] =
    { ed25519: ['0807', null] as const, rsa: ['0804', 'sha256'] as const }[key.asymmetricKeyType as string] ??
    (namedCurve === 'secp521r1' ? (['0603', 'sha512'] as const) : (['0403', 'sha256'] as const))
  const padded = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const signature = sign(algorithm, response, { key, ...(scheme === '0804' ? padded : {}) })
  return Buffer.concat([hex(scheme), vector(2, signature)])
}

/**
 * Completes a TLS 1.3 handshake for a fuzz target with the given Certificate message, sends the request and reads to
 * the end.
 */
export const presentCertificate = async (port: number, shown: PresentedCertificate): Promise<HandshakeResult> => {
  const result: HandshakeResult = { response: '' }
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setTimeout(PATIENCE, () => {
    result.isSilent = true
    socket.destroy()
  })
  const own = generateKeyPairSync('x25519')
  const first = hello(own.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  socket.write(Buffer.concat([hex('16 0301'), vector(2, first)]))
  let transcript = first
  let secrets: Secrets | undefined
  let reading: Protection | undefined
  try {
    for await (const { head, type, body } of recordsOf(socket)) {
      const { type: kind, body: plain } = reading && type === 23 ? reading.open(head, body) : { type, body }
      if (kind === 21) result.alert = plain[1] ?? 0
      else if (kind === 23) result.response += plain.toString('latin1')
      else if (kind === 22 && !secrets) {
        transcript = Buffer.concat([transcript, plain])
        secrets = secretsOf(own.privateKey, plain, transcript)
        reading = protection(secrets.server)
      } else if (kind === 22 && secrets && !isFinished(transcript)) {
        transcript = Buffer.concat([transcript, plain])
        if (!isFinished(transcript)) continue
        reading = protection(secrets.application('s', digestOf(transcript)))
        socket.write(answerTo(transcript, secrets, shown)) // a client that also ends its side early may be cut off before its request is read
      }
    }
  } catch (error) {
    if (['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) result.isReset = true
    else if (!result.isSilent) throw error
  }
  socket.destroy()
  return result
}

/** Whether the server has sent its last message before the client's turn. */
const isFinished = (transcript: Buffer): boolean => messagesIn(transcript).at(-1)?.[0] === 20

/** Certificate, its proof and Finished, then the request. */
const answerTo = (
  transcript: Buffer,
  secrets: Secrets,
  { certificate, privateKey, request }: PresentedCertificate,
): Buffer => {
  const writing = protection(secrets.client)
  const shown = message(11, certificate)
  const proof = message(15, proofOf(privateKey, digestOf(Buffer.concat([transcript, shown]))))
  const key = expand(secrets.client, 'finished', Buffer.alloc(0), 32)
  const end = createHmac('sha256', key)
    .update(digestOf(Buffer.concat([transcript, shown, proof])))
    .digest()
  const all = Buffer.concat([shown, proof, message(20, end)])
  const sealed = []
  for (let at = 0; at < all.length; at += LONGEST) sealed.push(writing.seal(22, all.subarray(at, at + LONGEST)))
  const asking = protection(secrets.application('c', digestOf(transcript)))
  return Buffer.concat([...sealed, asking.seal(23, Buffer.from(request))])
}
