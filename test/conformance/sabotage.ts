import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { Profile } from '../../contracts/harness/profile.ts'
import { algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import { createClock } from '../../simulator/clock.ts'
import type { ApiEnvironment, Call } from '../../simulator/http/call.ts'
import { signAnswers } from '../../simulator/http/layers/sign-answer.ts'
import { verifySignature } from '../../simulator/http/layers/verify-signature.ts'
import { createTrust } from '../../simulator/http/trust.ts'
import type { Journal } from '../../simulator/journal/journal.ts'
import type { Config } from '../../simulator/options.ts'
import { Refusal } from '../../simulator/refusal.ts'
import type { SimulatorParts } from '../../simulator/simulator.ts'
import type { Loaded, Reply, Save, Store } from '../../simulator/store/port.ts'
import { openTestStore } from '../support/open-test-store.ts'

/** Counts how often the broken path was taken: a saboteur that never acts proves nothing. */
export type Hits = { count: number }

/** What a saboteur puts in place of good parts. */
export type Sabotage = (dataDir: string, hits: Hits) => Partial<SimulatorParts> | Promise<Partial<SimulatorParts>>

/** A layer around all others, in the place of the one that only variety has. */
export const around = (varyAnswers: MiddlewareHandler<ApiEnvironment>) => ({ layers: { varyAnswers } })

/** The good simulator with one thing broken, and the checks that must go red for it; no other may. */
export type Saboteur = {
  does: string
  caughtBy: readonly string[]
  config?: Partial<Config>
  sabotage?: Sabotage
  /** The same where nothing can count how often it acts. */
  uncounted?: Sabotage
  /** How far a run must go to catch it; the usual tier where left out. */
  tier?: string
  /** Checks without whose calls nobody would see it, where those of `caughtBy` judge what others have sent. */
  through?: readonly string[]
  /** It stops what others build on: they may well be blocked. */
  stopsOthers?: true
  /** The part of the plan that it is tried against, where the rest would only take long. */
  only?: readonly string[]
  /** What the profile says otherwise than the shipped one. */
  profile?: (profile: Profile) => Profile
}

/** Changes what goes out, before it is signed. Returning undefined leaves an answer alone. */
export const answering =
  (change: (reply: Reply, call: Call) => Reply | undefined): Sabotage =>
  (_dataDir, hits) =>
    around(async (c, next) => {
      await next()
      const { call } = c.var
      const changed = call.reply && change(call.reply, call)
      if (!changed) return
      hits.count += 1
      call.reply = changed
    })

/** The same for members of a JSON answer. */
export const answeringJson = (
  change: (body: Record<string, unknown>, reply: Reply, call: Call) => object | undefined,
) =>
  answering((reply, call) => {
    const changed = change(JSON.parse(reply.body || '{}'), reply, call)
    return changed && { ...reply, body: JSON.stringify(changed) }
  })

/** Refusals with this status and code get others. */
export const refusing = (http: number, reasonCode: string, instead: { http?: number; reasonCode?: string }) =>
  answering(reply => {
    if (reply.http !== http || !reply.body.includes(`"reasonCode":"${reasonCode}"`)) return undefined
    const body = reply.body.replace(
      `"reasonCode":"${reasonCode}"`,
      `"reasonCode":"${instead.reasonCode ?? reasonCode}"`,
    )
    return { http: instead.http ?? http, body }
  })

/** Changes a request before any layer looks at it. */
export const receiving =
  (change: (incoming: IncomingMessage) => boolean): Sabotage =>
  (_dataDir, hits) =>
    around(async (c, next) => {
      if (change(c.env.incoming)) hits.count += 1
      await next()
    })

/** Changes a body after its signature was found good, so that only validation and business see it. */
export const reading =
  (change: (body: string, call: Call) => string): Sabotage =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    const clock = createClock()
    const dialect = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const
    const trust = createTrust(store)
    const verify = verifySignature({ trust, clock, dialect, maxAgeSeconds: 300, maxAheadSeconds: 60 })
    const wrapped = async (call: Call) => {
      await verify(call)
      const changed = change(call.body.toString('utf8'), call)
      if (changed !== call.body.toString('utf8')) hits.count += 1
      call.body = Buffer.from(changed)
    }
    return { store, trust, clock, layers: { verifySignature: wrapped } }
  }

/** The same for the bodies of one call. */
export const calling = (path: string) => (change: (body: string) => string) =>
  reading((body, call) => (call.incoming.url === path ? change(body) : body))

/** A layer that lets everything pass. */
export const skipping =
  (name: 'verifySignature' | 'selectVersion'): Sabotage =>
  (_dataDir, hits) => ({
    layers: {
      [name]: () => {
        hits.count += 1
      },
    },
  })

/** Puts something between the simulator and its store. */
export const storing =
  (wrap: (store: Store, hits: Hits) => Partial<Store>): Sabotage =>
  async (dataDir, hits) => {
    const store = await openTestStore(dataDir)
    return { store: { ...store, ...wrap(store, hits) } }
  }

/** Changes what an operation is given to decide by. */
export const loading = (change: (loaded: Loaded, hits: Hits) => Loaded): Sabotage =>
  storing((store, hits) => ({
    perform: unit => store.perform({ ...unit, decide: loaded => unit.decide(change(loaded, hits)) }),
  }))

/** Changes what is saved; undefined leaves it as it is. */
export const saving = (change: (save: Save) => Save | undefined): Sabotage =>
  storing((store, hits) => ({
    perform: unit =>
      store.perform({
        ...unit,
        decide: loaded => {
          const { result, save } = unit.decide(loaded)
          const changed = save && change(save)
          if (changed) hits.count += 1
          return { result, ...(save ? { save: changed ?? save } : {}) }
        },
      }),
  }))

/** Signs answers with a key that stands in no key set. */
export const signingAsNobody: Sabotage = (_dataDir, hits) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { keyId: 'nobody', algorithm: algorithmNamed('ECDSA_SHA_256'), privateKey }
  const counting: Partial<Journal> = {
    add: () => {
      hits.count += 1
    },
  }
  const journal = counting as Journal
  return { layers: { signAnswers: signAnswers({ clock: createClock(), journal, key, dialect: {} }) } }
}

/** Takes every caller for the demo organization, whatever certificate it shows. */
export const trustingAnybody: Sabotage = async (dataDir, hits) => {
  const store = await openTestStore(dataDir)
  return {
    store,
    layers: {
      requireCertificate: async (call: Call) => {
        const organization = await ownerOf(store, call.incoming)
        if (!organization) hits.count += 1
        const taken = organization ?? (await store.organization('demo-merchant'))
        if (taken) call.organization = taken
      },
    },
  }
}

const ownerOf = async (store: Store, { socket }: IncomingMessage) => {
  const certificate = (socket as import('node:tls').TLSSocket).getPeerX509Certificate()
  const known = certificate && (await store.certificate(certificate.fingerprint256))
  return known && store.organization(known.organizationId)
}

/** Says 401 to every call, the key set among them. */
export const refusingEverything = {
  layers: {
    limitBody: () => {
      throw new Refusal('TOKEN_REFUSED', 'token', 'No.')
    },
  },
}
