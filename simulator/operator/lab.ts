import { createPrivateKey, createPublicKey } from 'node:crypto'
import { algorithmNamed, algorithmOfKey } from '../../contracts/protocol/algorithms.ts'
import type { Diagnosis } from '../../contracts/protocol/lab/diagnosis.ts'
import { PROBLEMS, readBase, readRequest } from '../../contracts/protocol/lab/read-request.ts'
import { headerOf, type LabRequest } from '../../contracts/protocol/lab/request.ts'
import type { Candidate } from '../../contracts/protocol/lab/search.ts'
import type { SigningKey } from '../../contracts/protocol/sign.ts'
import type { Dialect } from '../../contracts/protocol/verify.ts'
import { type Clock, stopwatch } from '../clock.ts'
import { SECOND } from '../duration.ts'
import { hidesTarget, type JournalEntry } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/port.ts'
import type { Credentials } from './kit.ts'
import { OperatorError } from './operator-error.ts'

/** What signatures the API accepts. */
export type SignatureRules = { dialect: Dialect; maxAgeSeconds: number; maxAheadSeconds: number }

/** A request as it was pasted, or a call of the journal; `base` is what the client says it signed. */
export type LabWish = { request?: string | undefined; call?: string | undefined; base?: Uint8Array | undefined }

type Parts = { store: Store; clock: Clock; journal: Journal; signatures: SignatureRules }

/** Beyond this a search gives up and says so; on P-256 it is done long before. */
const VERIFICATIONS = 60_000
const LONGEST = 8 * SECOND
/** How many other refused requests may help to recognise a key that nobody registered. */
const COMPANIONS = 3

/** The signature lab (5.2): tells what is wrong with a signed request, by all the keys that its organization has. */
export const createLab = ({ store, clock, journal, signatures }: Parts) => {
  let turn: Promise<unknown> = Promise.resolve()

  const diagnosed = async (organizationId: string, request: LabRequest, base: Uint8Array | undefined) => {
    const { diagnose } = await import('../../contracts/protocol/lab/diagnose.ts')
    const elapsed = stopwatch()
    return diagnose({
      request,
      keys: await keysOf(store, organizationId, clock.now(organizationId)),
      dialect: signatures.dialect,
      now: Math.floor(clock.real() / SECOND),
      maxAge: signatures.maxAgeSeconds,
      maxAhead: signatures.maxAheadSeconds,
      budget: { verifications: VERIFICATIONS, isOver: () => elapsed() > LONGEST },
      clientIds: await namesOf(store, organizationId),
      companions: companionsOf(journal, organizationId, request),
      ...(base === undefined ? {} : { base: readBase(base) }),
      signerOf: await signersOf(store, organizationId),
    })
  }

  return {
    /** One search at a time: it keeps a processor busy, and calls of the API come first. */
    diagnose: (organizationId: string, { request, call, base }: LabWish): Promise<Diagnosis> => {
      const asked = call === undefined ? pasted(request) : picked(journal, organizationId, call)
      const diagnosis = turn.then(() => diagnosed(organizationId, asked, base))
      turn = diagnosis.catch(() => undefined)
      return diagnosis
    },
    /** The last calls that were refused for their signature, newest first. */
    refused: (organizationId: string, limit: number): readonly JournalEntry[] =>
      refusedIn(journal, organizationId).slice(0, limit),
  }
}

const pasted = (text = ''): LabRequest => {
  const read = readRequest(text)
  if ('problem' in read) throw new OperatorError('invalid', PROBLEMS[read.problem])
  return read.request
}

const picked = (journal: Journal, organizationId: string, callId: string): LabRequest => {
  const entry = journal.find(organizationId, callId)
  if (entry && hidesTarget(entry)) throw new OperatorError('invalid', MASKED)
  if (entry) return requestOf(journal, entry)
  throw new OperatorError(
    'unknown',
    `The journal of ${organizationId} has no call of this id: list it to see the last ones.`,
  )
}

const MASKED =
  'The address of this call held a secret, which the journal does not keep: paste the request as it was sent.'

/** A call with the bytes that it really had. */
const requestOf = (journal: Journal, entry: JournalEntry): LabRequest => {
  const { method, target, headers } = entry.request
  const body = journal.sent(entry)
  return {
    method,
    target,
    headers: Object.entries(headers),
    body: body ?? Buffer.alloc(0),
    ...(body === undefined ? { bodyIsPartial: true as const } : {}),
    sentAt: Math.floor(Date.parse(entry.at) / SECOND),
  }
}

const refusedIn = (journal: Journal, organizationId: string): JournalEntry[] =>
  journal.list(organizationId, Number.MAX_SAFE_INTEGER).filter(({ refused }) => refused?.layer === 'signature')

/** Other refused calls that name the same key. */
const companionsOf = (journal: Journal, organizationId: string, request: LabRequest): LabRequest[] => {
  const keyOf = (one: LabRequest) => /;\s*keyid=("[^"]*"|[^;]*)/.exec(headerOf(one, 'signature-input') ?? '')?.[1]
  return refusedIn(journal, organizationId)
    .map(entry => requestOf(journal, entry))
    .filter(other => keyOf(other) === keyOf(request) && headerOf(other, 'signature') !== headerOf(request, 'signature'))
    .slice(0, COMPANIONS)
}

/** Signing keys, ended ones too, and keys of client certificates; never one of somebody else's. */
const keysOf = async (store: Store, organizationId: string, now: number): Promise<Candidate[]> => {
  const signing = (await store.signingKeys(organizationId)).map(record => ({
    name: record.keyId,
    use: 'signing' as const,
    algorithm: algorithmNamed(record.algorithm),
    publicKey: createPublicKey(record.publicKey),
    ...(record.deregisteredAt !== undefined ? { state: 'deregistered' as const } : {}),
    ...(record.deregisteredAt === undefined && now >= record.expiresAt ? { state: 'expired' as const } : {}),
  }))
  const certified = (await store.certificates(organizationId)).flatMap(({ fingerprint, publicKey: pem }) => {
    const publicKey = createPublicKey(pem)
    const algorithm = algorithmOfKey(publicKey)
    return algorithm ? [{ name: fingerprint, use: 'certificate' as const, algorithm, publicKey }] : []
  })
  return [...signing, ...certified]
}

const namesOf = async (store: Store, organizationId: string): Promise<string[]> => {
  const organization = await store.organization(organizationId)
  return [organizationId, ...(organization?.accountIds ?? [])]
}

/** The private keys of the kit: the one that is named, else the first that still counts. */
const signersOf = async (store: Store, organizationId: string) => {
  const kit = JSON.parse((await store.organization(organizationId))?.kit ?? '{"signingKeys":[]}') as Credentials
  const ended = (await store.signingKeys(organizationId)).filter(({ deregisteredAt }) => deregisteredAt !== undefined)
  const usable = kit.signingKeys.filter(({ keyId }) => !ended.some(key => key.keyId === keyId))
  return (keyId: string | undefined): SigningKey | undefined => {
    const key = usable.find(one => one.keyId === keyId) ?? usable[0]
    return (
      key && {
        keyId: key.keyId,
        algorithm: algorithmNamed(key.algorithm),
        privateKey: createPrivateKey(key.privateKey),
      }
    )
  }
}
