import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import type { Kit } from '../../simulator/installation/merchant-kit.ts'
import type { Config } from '../../simulator/options/options.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import type { SimulatorParts } from '../../simulator/startup/startup-context.ts'
import type { Clock } from '../../simulator/support/clock.ts'
import { parseKeySet, type VerifyingKeySet } from './api-response-checks.ts'
import {
  createSignedRawRequest,
  type RawRequest,
  type RawRequestParts,
  withHeader,
} from './create-signed-raw-request.ts'
import { storeOptionFor } from './open-test-store.ts'
import { type ExchangeOptions, exchangeRaw, type RawResponse } from './raw-http.ts'

export type RawMerchant = { kit: Kit; signingKey: SigningKey; token: string }

/** A running sandbox with credentials, for tests that send raw requests. */
export type RawSandbox = {
  simulator: Simulator
  apiPort: number
  pagesPort: number
  keySet: VerifyingKeySet
  /** Unexpected errors that the simulator reported. */
  faults: unknown[]
  demo: RawMerchant
  /** A second organization with its own certificate, keys and token. */
  other: RawMerchant
  /** Sends a request over a new connection with the demo merchant's certificate; returns the response. */
  send(message: RawRequest | Buffer, conversation?: ExchangeOptions): Promise<RawResponse>
  sign(parts: RawRequestParts): Promise<RawRequest>
  close(): Promise<void>
}

type RawSandboxOptions = {
  config?: Partial<Config>
  clock?: Clock
  parts?: Partial<SimulatorParts>
  /** Sends the certificate in a Client-Cert header, as a trusted proxy does (D-71). */
  throughProxy?: boolean
  /** Default signature options of requests. */
  signing?: Pick<RawRequestParts, 'reading' | 'encoding'>
}

export const openRawSandbox = async ({
  config = {},
  clock,
  parts = {},
  throughProxy = false,
  signing = {},
}: RawSandboxOptions = {}): Promise<RawSandbox> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-wire-'))
  const faults: unknown[] = []
  const simulator = await startSimulator(
    { dataDir, apiPort: 0, pagesPort: 0, ...(await storeOptionFor(dataDir)), ...config },
    { onError: error => faults.push(error), ...(clock ? { clock } : {}), ...parts },
  )
  const apiPort = Number(new URL(simulator.apiUrl).port)
  const now = () => Math.floor((clock?.real() ?? Date.now()) / 1000)
  const identity = identityOf(simulator.kit)
  const send = async (message: RawRequest | Buffer, conversation: ExchangeOptions = {}) => {
    const [answer] = (await exchangeRaw(apiPort, message, { identity, ...conversation })).answers
    if (!answer) throw new Error('The connection was closed without a response.')
    return answer
  }
  const sandbox = { simulator, apiPort, pagesPort: Number(new URL(simulator.pagesUrl).port), faults, send }
  const keySet = parseKeySet(await send({ method: 'GET', target: '/.well-known/jwks.json', headers: [['Host', 'x']] }))
  const vouched = (kit: Kit, message: RawRequest) =>
    throughProxy ? withHeader(message, 'Client-Cert', clientCertHeader(kit)) : message
  const demo = await withToken({ send, vouched }, simulator.kit, { created: now(), ...signing })
  const other = await withToken({ send, vouched }, await otherKit(simulator), { created: now(), ...signing })
  return {
    ...sandbox,
    keySet,
    demo,
    other,
    sign: parts => createSignedRawRequest({ merchant: demo, created: now(), ...signing, ...parts }),
    close: async () => {
      await simulator.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export const identityOf = ({ certificate, privateKey }: Kit) => ({ certificate, privateKey })

/** Returns the value of the Client-Cert header (RFC 9440 2.2): the DER of a certificate in Base64 between colons. */
export const clientCertHeader = ({ certificate }: Pick<Kit, 'certificate'>): string =>
  `:${new X509Certificate(certificate).raw.toString('base64')}:`

export const signingKeyOf = (kit: Kit, algorithm = 'ECDSA_SHA_256'): SigningKey => {
  const key = kit.signingKeys.find(known => known.algorithm === algorithm)
  if (!key) throw new Error(`The kit has no key for ${algorithm}.`)
  return { keyId: key.keyId, algorithm: algorithmNamed(algorithm), privateKey: createPrivateKey(key.privateKey) }
}

const otherKit = async ({
  controlPlane: operator,
  kit: { apiBaseUrl, pagesBaseUrl, jwksUrl },
}: Simulator): Promise<Kit> => ({
  apiBaseUrl,
  pagesBaseUrl,
  jwksUrl,
  ...(await operator.organizations.create('other-merchant')),
})

export const tokenForm = ({ clientId }: Kit, scope = 'payments:process'): string =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, scope }).toString()

type Signing = Pick<RawRequestParts, 'reading' | 'encoding'> & { created: number }

type Sending = Pick<RawSandbox, 'send'> & { vouched(kit: Kit, message: RawRequest): RawRequest }

const withToken = async ({ send, vouched }: Sending, kit: Kit, signing: Signing): Promise<RawMerchant> => {
  const merchant = { kit, signingKey: signingKeyOf(kit), token: '' }
  const message = await createSignedRawRequest({
    merchant,
    ...signing,
    target: '/auth/token',
    contentType: 'application/x-www-form-urlencoded',
    body: tokenForm(kit),
  })
  const answer = await send(vouched(kit, message), { identity: identityOf(kit) })
  return { ...merchant, token: (answer.json() as { access_token: string }).access_token }
}

/** Creates the body of a test's request to initiate an IRIS payment of the demo merchant; it needs no one-time code. */
export const irisInitiateBody = (change: object = {}) => ({
  processingAccountId: 'demo-merchant-account-1',
  clientTransactionId: `order-${randomUUID()}`,
  transactionType: 'ONE_TIME',
  returnUrl: 'https://shop.example/thanks',
  paymentDetails: { amount: 4999, currency: 'EUR', country: 'GR', description: 'Two tickets' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
  ...change,
})
