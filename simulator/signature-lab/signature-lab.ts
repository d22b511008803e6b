import { createPrivateKey, createPublicKey } from 'node:crypto'
import { acceptedOfRequests } from '../../contracts/dialect/dialect.ts'
import type { AcceptedDialect } from '../../contracts/protocol/match-signature-dialect.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import { algorithmNamed, algorithmOfKey } from '../../contracts/protocol/signature-algorithms.ts'
import type { DiagnosisReport } from '../../contracts/protocol/signature-lab/diagnosis-report.ts'
import { type LabRequest, readHeaderValue } from '../../contracts/protocol/signature-lab/lab-request.ts'
import { PASTE_PROBLEMS, readBase, readRequest } from '../../contracts/protocol/signature-lab/read-pasted-request.ts'
import type { CandidateKey } from '../../contracts/protocol/signature-lab/search-signed-base.ts'
import type { Credentials } from '../installation/merchant-kit.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { isTargetMasked } from '../journal/mask-secrets.ts'
import type { Store } from '../store/store.ts'
import { type Clock, stopwatch } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import { SECOND } from '../support/duration.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { inTurns } from '../support/slices-across-event-loop-turns.ts'

/** Rules by which the API accepts signatures: dialect and allowed age; and the names that clients may have for it. */
export type SignatureRules = {
  dialect: AcceptedDialect
  maxAgeSeconds: number
  maxAheadSeconds: number
  otherHosts: readonly string[]
}

/** Input of the signature lab: a pasted request or a journal callId; `base` is the client's signature base. */
type SignatureLabInput = {
  request?: string | undefined
  call?: string | undefined
  base?: string | undefined
  /** Whether the caller may have the organization's keys, so that the lab signs the corrected request with one. */
  signs: boolean
}

type Parts = {
  store: Store
  clock: Clock
  journal: Journal
  signatures: SignatureRules
  dialects: Pick<DialectRegistry, 'of'>
  webhooks: { closing: AbortSignal }
}

/** Limits of one search for the mistake: signature verifications and milliseconds; beyond them the lab gives up. */
const MAX_VERIFICATIONS = 60_000
const MAX_MILLISECONDS = 8 * SECOND
/** Maximum number of other refused requests that the lab uses to recognise an unregistered key. */
const MAX_COMPANIONS = 3

/** Creates the signature lab (5.2), which finds the mistake in a signed request, with all keys of its organization. */
export const createSignatureLab = ({ store, clock, journal, signatures, dialects, webhooks }: Parts) => {
  const oneAtATime = createOneAtATime()
  const { closing } = webhooks

  const examineNow = async (
    organizationId: string,
    { request, base, signs }: { request: LabRequest; base: string | undefined; signs: boolean },
    ended: AbortSignal,
  ) => {
    ended.throwIfAborted()
    const [{ diagnoseRequest: diagnose }, { toDiagnosisReport }] = await Promise.all([
      import('../../contracts/protocol/signature-lab/diagnose-request.ts'),
      import('../../contracts/protocol/signature-lab/diagnosis-report.ts'),
    ])
    const elapsed = stopwatch()
    const diagnosis = await diagnose({
      request,
      keys: await keysOf(store, organizationId, clock.now(organizationId)),
      dialect: acceptedOfRequests(dialects.of(organizationId)) ?? signatures.dialect,
      now: Math.floor(clock.real() / SECOND),
      maxAge: signatures.maxAgeSeconds,
      maxAhead: signatures.maxAheadSeconds,
      otherHosts: signatures.otherHosts,
      budget: { verifications: MAX_VERIFICATIONS, isOver: () => ended.aborted || elapsed() > MAX_MILLISECONDS },
      clientIds: await namesOf(store, organizationId),
      companions: await companionsOf(journal, organizationId, request),
      ...(base === undefined ? {} : { base: readBase(Buffer.from(base)) }),
      ...(signs ? { signerOf: await signersOf(store, organizationId) } : {}),
    })
    ended.throwIfAborted()
    return toDiagnosisReport(diagnosis)
  }

  return {
    /**
     * Diagnoses a request and reports it in sentences. One search of an organization at a time, as it keeps a processor
     * busy; fails with `conflict` where the caller is gone or the sandbox stops.
     */
    examine: async (
      organizationId: string,
      { request: pasted, call, base, signs }: SignatureLabInput,
      gone: AbortSignal,
    ): Promise<DiagnosisReport> => {
      const entry = call === undefined ? undefined : findCall(journal, organizationId, call)
      const request = entry ? requestOf(journal, entry) : readPasted(pasted)
      const ended = AbortSignal.any([gone, closing])
      const examined = oneAtATime(organizationId, () => examineNow(organizationId, { request, base, signs }, ended))
      const report = await examined.catch(error => {
        throw ended.aborted ? new ControlError('conflict', 'The sandbox stops: search again once it runs.') : error
      })
      return { ...report, summary: withOtherRefusal(report, entry) }
    },
    /** Journal entries that were refused for their signature, newest first. */
    refused: (organizationId: string, limit: number): readonly JournalEntry[] =>
      journal.list(organizationId).filter(isOfLab).slice(0, limit),
  }
}

const readPasted = (text = ''): LabRequest => {
  const read = readRequest(text)
  if ('problem' in read) throw new ControlError('invalid', PASTE_PROBLEMS[read.problem])
  return read.request
}

/** Returns the summary of a report; where the signature is right and another layer refused the call, also that. */
const withOtherRefusal = ({ summary, verdict }: DiagnosisReport, entry: JournalEntry | undefined): string =>
  verdict === 'verifies' && entry?.refused
    ? `${summary} The layer "${entry.refused.layer}" refused this call: ${entry.refused.reason}`
    : summary

const findCall = (journal: Journal, organizationId: string, callId: string): JournalEntry => {
  const entry = journal.find(organizationId, callId)
  if (entry && isTargetMasked(entry)) throw new ControlError('invalid', MASKED)
  if (entry) return entry
  throw new ControlError(
    'unknown',
    `The journal of ${organizationId} has no call of this id: list it to see the last ones.`,
  )
}

const MASKED =
  'The address of this call held a secret, which the journal does not keep: paste the request as it was sent.'

/** Returns the request of a journal entry with the exact bytes of its body. */
const requestOf = (journal: Journal, entry: JournalEntry): LabRequest => {
  const { method, target, headers } = entry.request
  const body = journal.requestBody(entry)
  return {
    method,
    target,
    headers: Object.entries(headers),
    body: body ?? Buffer.alloc(0),
    ...(body === undefined ? { bodyIsPartial: true as const } : {}),
    sentAt: Math.floor(Date.parse(entry.at) / SECOND),
  }
}

/** Whether a call was refused for its signature. */
const isOfLab = ({ refused, request: { headers } }: JournalEntry): boolean =>
  refused?.layer === 'signature' || (refused?.layer === 'body' && 'transfer-encoding' in headers)

/** Finds other refused requests that name the same signing key. */
const companionsOf = async (journal: Journal, organizationId: string, request: LabRequest): Promise<LabRequest[]> => {
  const keyOf = (one: LabRequest) =>
    /;\s*keyid=("[^"]*"|[^;]*)/.exec(readHeaderValue(one, 'signature-input') ?? '')?.[1]
  const [key, signature] = [keyOf(request), readHeaderValue(request, 'signature')]
  const found: LabRequest[] = []
  for await (const entry of inTurns(journal.newestFirst(organizationId))) {
    if (!isOfLab(entry)) continue
    const other = requestOf(journal, entry)
    if (keyOf(other) === key && readHeaderValue(other, 'signature') !== signature) found.push(other)
    if (found.length === MAX_COMPANIONS) break
  }
  return found
}

/** Lists the organization's signing keys, also expired and deregistered, and the keys of its client certificates. */
const keysOf = async (store: Store, organizationId: string, now: number): Promise<CandidateKey[]> => {
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

/** Creates a look-up of private keys in the kit: by name, else the first key that is not deregistered. */
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
