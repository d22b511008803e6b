import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import type { Clock } from '../../simulator/clock.ts'
import type { Kit } from '../../simulator/operator/kit.ts'
import type { Config } from '../../simulator/options.ts'
import { type Simulator, type SimulatorParts, startSimulator } from '../../simulator/simulator.ts'
import { storeFor } from '../support/open-test-store.ts'
import { type KeySet, keySetFrom } from './judge.ts'
import { type Message, type Parts, signedMessage, withHeader } from './message.ts'
import { type Answer, type Conversation, talk } from './talk.ts'

export type Merchant = { kit: Kit; signingKey: SigningKey; token: string }

/** A running sandbox with everything an attacker of its wire wants at hand. */
export type Sandbox = {
  simulator: Simulator
  apiPort: number
  pagesPort: number
  keySet: KeySet
  /** Faults that the simulator reported of itself: every one is a bug. */
  faults: unknown[]
  demo: Merchant
  /** Another organization, with its own certificate, keys and token. */
  other: Merchant
  /** Sends a message over a fresh connection with the demo merchant's certificate and reads one answer. */
  send(message: Message | Buffer, conversation?: Conversation): Promise<Answer>
  sign(parts: Parts): Promise<Message>
  close(): Promise<void>
}

export type SandboxOptions = {
  config?: Partial<Config>
  clock?: Clock
  parts?: Partial<SimulatorParts>
  /** Takes this machine for a proxy, whose word on certificates counts (D-71). */
  throughProxy?: boolean
  /** How requests are signed unless they say otherwise. */
  signing?: Pick<Parts, 'reading' | 'encoding'>
}

export const openSandbox = async ({
  config = {},
  clock,
  parts = {},
  throughProxy = false,
  signing = {},
}: SandboxOptions = {}): Promise<Sandbox> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-wire-'))
  const faults: unknown[] = []
  const simulator = await startSimulator(
    { dataDir, apiPort: 0, pagesPort: 0, ...(await storeFor(dataDir)), ...config },
    { onFault: error => faults.push(error), ...(clock ? { clock } : {}), ...parts },
  )
  const apiPort = Number(new URL(simulator.apiUrl).port)
  const now = () => Math.floor((clock?.real() ?? Date.now()) / 1000)
  const identity = identityOf(simulator.kit)
  const send = async (message: Message | Buffer, conversation: Conversation = {}) => {
    const [answer] = (await talk(apiPort, message, { identity, ...conversation })).answers
    if (!answer) throw new Error('The connection was closed without an answer.')
    return answer
  }
  const sandbox = { simulator, apiPort, pagesPort: Number(new URL(simulator.pagesUrl).port), faults, send }
  const keySet = keySetFrom(await send({ method: 'GET', target: '/.well-known/jwks.json', headers: [['Host', 'x']] }))
  const vouched = (kit: Kit, message: Message) =>
    throughProxy ? withHeader(message, 'Client-Cert', clientCertOf(kit)) : message
  const demo = await withToken({ send, vouched }, simulator.kit, { created: now(), ...signing })
  const other = await withToken({ send, vouched }, await otherKit(simulator), { created: now(), ...signing })
  return {
    ...sandbox,
    keySet,
    demo,
    other,
    sign: parts => signedMessage({ merchant: demo, created: now(), ...signing, ...parts }),
    close: async () => {
      await simulator.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export const identityOf = ({ certificate, privateKey }: Kit) => ({ certificate, privateKey })

/** RFC 9440 2.2: the DER of a certificate in Base64 between colons. */
export const clientCertOf = ({ certificate }: Pick<Kit, 'certificate'>): string =>
  `:${new X509Certificate(certificate).raw.toString('base64')}:`

export const signingKeyOf = (kit: Kit, algorithm = 'ECDSA_SHA_256'): SigningKey => {
  const key = kit.signingKeys.find(known => known.algorithm === algorithm)
  if (!key) throw new Error(`The kit has no key for ${algorithm}.`)
  return { keyId: key.keyId, algorithm: algorithmNamed(algorithm), privateKey: createPrivateKey(key.privateKey) }
}

const otherKit = async ({ operator, kit: { apiBaseUrl, pagesBaseUrl, jwksUrl } }: Simulator): Promise<Kit> => ({
  apiBaseUrl,
  pagesBaseUrl,
  jwksUrl,
  ...(await operator.organizations.create('other-merchant')),
})

export const tokenForm = ({ clientId }: Kit, scope = 'payments:process'): string =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, scope }).toString()

type Signing = Pick<Parts, 'reading' | 'encoding'> & { created: number }

type Sending = Pick<Sandbox, 'send'> & { vouched(kit: Kit, message: Message): Message }

const withToken = async ({ send, vouched }: Sending, kit: Kit, signing: Signing): Promise<Merchant> => {
  const merchant = { kit, signingKey: signingKeyOf(kit), token: '' }
  const message = await signedMessage({
    merchant,
    ...signing,
    target: '/auth/token',
    contentType: 'application/x-www-form-urlencoded',
    body: tokenForm(kit),
  })
  const answer = await send(vouched(kit, message), { identity: identityOf(kit) })
  return { ...merchant, token: (answer.json() as { access_token: string }).access_token }
}

/** A payment by IRIS as the demo merchant asks for it: it needs no code, so it can be asked for at any time. */
export const irisPayment = (change: object = {}) => ({
  processingAccountId: 'demo-merchant-account-1',
  clientTransactionId: `order-${randomUUID()}`,
  transactionType: 'ONE_TIME',
  returnUrl: 'https://shop.example/thanks',
  paymentDetails: { amount: 4999, currency: 'EUR', country: 'GR', description: 'Two tickets' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
  ...change,
})
