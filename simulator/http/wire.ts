import { constants } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import { READINGS } from '../../contracts/protocol/signature-base.ts'
import type { AddressBook } from '../addresses.ts'
import type { Clock } from '../clock.ts'
import { SECOND } from '../duration.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal.ts'
import { createExecute } from '../operations/execute.ts'
import { type Installation, serviceKey } from '../operator/installation.ts'
import type { Config } from '../options.ts'
import type { Store } from '../store/port.ts'
import { createApi, keySetOf, type Layers } from './api.ts'
import type { Bindings } from './call.ts'
import { createHandler } from './handle.ts'
import { limitBody } from './layers/limit-body.ts'
import { requireCertificate } from './layers/require-certificate.ts'
import { requireToken } from './layers/require-token.ts'
import { signAnswers } from './layers/sign-answer.ts'
import { verifySignature } from './layers/verify-signature.ts'
import { listen } from './listen.ts'
import { createTokenCall } from './token-call.ts'
import { createTokens } from './tokens.ts'
import { createUnreadable } from './unreadable.ts'
import { createValidate } from './validate.ts'

export type ApiWiring = {
  config: Config
  store: Store
  clock: Clock
  ids: Ids
  jobs: Jobs
  journal: Journal
  installation: Installation
  addresses: AddressBook
  /** Layers that a test puts in place of the real ones. */
  layers: Partial<Layers>
  onFault: (error: unknown) => void
}

/** Builds the API and listens with mutual TLS (5.1): the certificate is asked for, and its absence answered by the contract. */
export const openApi = async (wiring: ApiWiring) => {
  const { config, installation, onFault } = wiring
  const key = serviceKey(installation, config.answerAlgorithm)
  const dialect = { reading: config.answerBase, encoding: config.answerEncoding }
  const unreadable = createUnreadable({ ...wiring, key, dialect })
  const tokens = createTokens({ ...wiring, key: tokenKey(installation) })
  const api = createApi({
    layers: {
      ...createLayers(wiring, tokens),
      signAnswers: signAnswers({ ...wiring, key, dialect }),
      ...wiring.layers,
    },
    keySet: await keySetOf(installation),
    tokenCall: createTokenCall(tokens),
    handler: createHandler({
      execute: createExecute({ ...wiring, rules: rulesOf(config) }),
      validate: createValidate(),
      addresses: wiring.addresses,
    }),
    onFault,
  })
  const listener = getRequestListener((request, env) => api.fetch(request, env as unknown as Bindings), {
    errorHandler: error =>
      unreadable.response(error instanceof Error ? error.message.toLowerCase() : 'it is malformed'),
  })
  return listen(listener, {
    host: config.host,
    port: config.apiPort,
    option: 'api-port',
    bodyLimit: config.bodyLimit,
    onUnreadable: (socket, code) => void unreadable.write(socket, code),
    tls: {
      key: installation.server.privateKey,
      cert: installation.server.certificate,
      ca: installation.authorityCertificate,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: `TLSv${config.tlsMin}`,
      secureOptions: constants.SSL_OP_NO_TICKET, // a resumed session would bring along a certificate that nobody presented
    },
  })
}

const createLayers = (
  { config, store, clock }: ApiWiring,
  tokens: ReturnType<typeof createTokens>,
): Omit<Layers, 'signAnswers'> => ({
  limitBody: limitBody(config.bodyLimit),
  requireCertificate: requireCertificate({ store, clock }),
  verifySignature: verifySignature({
    store,
    clock,
    dialect: {
      readings: config.signatureBase === 'either' ? READINGS : [config.signatureBase],
      encodings: config.signatureEncoding === 'either' ? ENCODINGS : [config.signatureEncoding],
    },
    maxAgeSeconds: config.signatureAge / SECOND,
    maxAheadSeconds: config.signatureAhead / SECOND,
  }),
  requireToken: requireToken({ tokens, clock }),
})

/** Tokens are signed ES256 whatever signs the answers (D-58). */
const tokenKey = (installation: Installation) => {
  const { publicKey } = installation.serviceKeys.find(({ algorithm }) => algorithm.jwa === 'ES256') ?? {}
  if (publicKey === undefined) throw new Error('The installation has no P-256 key.')
  return { privateKey: serviceKey(installation, 'ECDSA_SHA_256').privateKey, publicKey }
}

const rulesOf = (config: Config) => ({ settleAfter: config.settleAfter, showLifecycle: config.lifecycle === 'on' })
