import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { algorithmNamed } from '../../../contracts/protocol/signature-algorithms.ts'
import type { ApiCall, ApiEnvironment, IdentifiedCall } from '../../../simulator/http/api-call.ts'
import { createCertificateAndKeyCache } from '../../../simulator/http/certificate-and-key-cache.ts'
import { signResponses } from '../../../simulator/http/layers/sign-response.ts'
import { verifySignature } from '../../../simulator/http/layers/verify-signature.ts'
import type { SimulatorParts } from '../../../simulator/startup/startup-context.ts'
import type { Store } from '../../../simulator/store/store.ts'
import type { Loaded, Reply, UnitOfWork, WriteSet } from '../../../simulator/store/unit-of-work.ts'
import { createClock } from '../../../simulator/support/clock.ts'
import { Refusal } from '../../../simulator/support/refusal.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import type { Mutation, MutationCount } from './mutant.ts'

/**
 * Creates the mutated simulator parts with this middleware as the outermost layer of the API (in the slot of
 * `varyAnswers`).
 */
export const outermostLayer = (varyAnswers: MiddlewareHandler<ApiEnvironment>) => ({ layers: { varyAnswers } })

/**
 * Combines mutations of layers into one, in which each changes what those before it leave of a response, and has a
 * count of its own.
 */
export const allOf =
  (mutations: readonly { mutation: Mutation; hits: MutationCount }[]) =>
  async (dataDir: string): Promise<Partial<SimulatorParts>> => {
    const parts = await Promise.all(mutations.map(({ mutation, hits }) => mutation(dataDir, hits)))
    const layers = parts.map(({ layers }) => layers ?? {})
    const varyAnswers = layers
      .flatMap(({ varyAnswers }) => varyAnswers ?? [])
      .reduce<MiddlewareHandler<ApiEnvironment>>(
        (inner, outer) => (c, next) => outer(c, () => inner(c, next) as Promise<void>),
        (_c, next) => next(),
      )
    return { layers: { ...Object.assign({}, ...layers), varyAnswers } }
  }

/**
 * Creates a mutation of the simulator that changes responses before they are signed; `undefined` leaves a response
 * unchanged.
 */
export const mutateReply =
  (change: (reply: Reply, call: ApiCall) => Reply | undefined): Mutation =>
  (_dataDir, hits) =>
    outermostLayer(async (c, next) => {
      await next()
      const { call } = c.var
      const changed = call.reply && change(call.reply, call)
      if (!changed) return
      hits.count += 1
      call.reply = changed
    })

/**
 * Creates a mutation of the simulator that changes JSON response bodies before they are signed; `undefined` leaves a
 * response unchanged.
 */
export const mutateJsonReply = (
  change: (body: Record<string, unknown>, reply: Reply, call: ApiCall) => object | undefined,
) =>
  mutateReply((reply, call) => {
    if (reply.contentType !== undefined) return undefined
    const changed = change(JSON.parse(reply.body || '{}'), reply, call)
    return changed && { ...reply, body: JSON.stringify(changed) }
  })

/**
 * Creates a mutation of the simulator that gives refusals with this HTTP status and reasonCode another status or code.
 */
export const mutateRefusal = (http: number, reasonCode: string, instead: { http?: number; reasonCode?: string }) =>
  mutateReply(reply => {
    if (reply.http !== http || !reply.body.includes(`"reasonCode":"${reasonCode}"`)) return undefined
    const body = reply.body.replace(
      `"reasonCode":"${reasonCode}"`,
      `"reasonCode":"${instead.reasonCode ?? reasonCode}"`,
    )
    return { http: instead.http ?? http, body }
  })

/**
 * Creates a mutation of the simulator that changes a request before any layer reads it; `change` returns whether it
 * did.
 */
export const mutateRequest =
  (change: (incoming: IncomingMessage) => boolean): Mutation =>
  (_dataDir, hits) =>
    outermostLayer(async (c, next) => {
      if (change(c.env.incoming)) hits.count += 1
      await next()
    })

/**
 * Creates a mutation of the simulator that changes a request body after its signature is verified, so that only
 * validation and operations see the change.
 */
export const mutateVerifiedBody =
  (change: (body: string, call: ApiCall) => string): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const clock = createClock()
    const dialect = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const
    const identityCache = createCertificateAndKeyCache(store)
    const verify = verifySignature({ identityCache, clock, dialect, maxAgeSeconds: 300, maxAheadSeconds: 60 })
    const wrapped = async (call: IdentifiedCall) => {
      await verify(call)
      const changed = change(call.body.toString('utf8'), call)
      if (changed !== call.body.toString('utf8')) hits.count += 1
      call.body = Buffer.from(changed)
    }
    return { store, identityCache, clock, layers: { verifySignature: wrapped } }
  }

/** Creates a mutation of the simulator that changes the verified request bodies of one path. */
export const mutateVerifiedBodyAt = (path: string) => (change: (body: string) => string) =>
  mutateVerifiedBody((body, call) => (call.incoming.url === path ? change(body) : body))

/** Creates a mutation of the simulator that replaces a layer of the API with one that accepts every call. */
export const skipLayer =
  (name: 'verifySignature' | 'selectVersion'): Mutation =>
  (_dataDir, hits) => ({
    layers: {
      [name]: () => {
        hits.count += 1
      },
    },
  })

/** Creates a mutation of the simulator that overrides methods of its store. */
export const mutateStore =
  (wrap: (store: Store, hits: MutationCount) => Partial<Store>): Mutation =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    return { store: { ...store, ...wrap(store, hits) } }
  }

/** Creates a mutation of the simulator that changes the records on which an operation decides. */
export const mutateLoaded = (change: (loaded: Loaded, hits: MutationCount) => Loaded): Mutation =>
  mutateStore((store, hits) => ({
    transact: unit => store.transact({ ...unit, decide: loaded => unit.decide(change(loaded, hits)) }),
  }))

/**
 * Creates a mutation of the simulator that changes the write set of a unit of work, by what it had loaded; `undefined`
 * leaves it unchanged.
 */
export const mutateWriteSet = (
  change: (save: WriteSet, unit: UnitOfWork<unknown>, loaded: Loaded) => WriteSet | undefined,
): Mutation =>
  mutateStore((store, hits) => ({
    transact: unit =>
      store.transact({
        ...unit,
        decide: loaded => {
          const { result, save } = unit.decide(loaded)
          const changed = save && change(save, unit, loaded)
          if (changed) hits.count += 1
          return { result, ...(save ? { save: changed ?? save } : {}) }
        },
      }),
  }))

/** Mutation: signs responses with a key that is not in the published key set. */
export const signWithUnpublishedKey: Mutation = (_dataDir, hits) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { keyId: 'nobody', algorithm: algorithmNamed('ECDSA_SHA_256'), privateKey }
  const recordCall = () => {
    hits.count += 1
  }
  return { layers: { signAnswers: signResponses({ clock: createClock(), recordCall, key, dialect: {} }) } }
}

/** Mutation: treats a caller with an unknown certificate, or none, as the demo organization. */
export const acceptAnyCertificate: Mutation = async (dataDir, hits) => {
  const store = await openTestStore(dataDir)
  return {
    store,
    layers: {
      requireCertificate: async (call: ApiCall) => {
        const organization = await ownerOf(store, call.incoming)
        if (!organization) hits.count += 1
        const taken = organization ?? (await store.organization('demo-merchant'))
        if (!taken) throw new Error('there is no demo-merchant')
        return taken
      },
    },
  }
}

const ownerOf = async (store: Store, { socket }: IncomingMessage) => {
  const certificate = (socket as import('node:tls').TLSSocket).getPeerX509Certificate()
  const known = certificate && (await store.certificate(certificate.fingerprint256))
  return known && store.organization(known.organizationId)
}

/** Mutated simulator parts that refuse every call with 401, including the key set. */
export const PARTS_REFUSING_EVERY_CALL = {
  layers: {
    limitBody: () => {
      throw new Refusal('TOKEN_REFUSED', 'token', 'No.')
    },
  },
}
