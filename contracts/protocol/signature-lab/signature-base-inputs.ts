import { DIGEST_ALGORITHMS } from '../content-digest.ts'
import { type AuthorityPort, authorityOf, COVERED_COMPONENTS, requestComponent } from '../signature-base.ts'
import { type BodyVariant, listBodyVariants } from './body-variants.ts'
import { type LabRequest, readHeaderValue } from './lab-request.ts'
import type { LenientSignatureInput } from './lenient-signature-input.ts'

/** A request with its parsed Signature-Input and everything from which a client may have built its base. */
export type SignatureBaseInputs = {
  request: LabRequest
  input: LenientSignatureInput
  /** The listed components; those of clause 5.2 where none are listed. */
  components: readonly string[]
  componentOf(component: string): string
  host: string
  hostName: string
  bodyForms: readonly BodyVariant[]
  /** Ids of all known keys. */
  keyIds: readonly string[]
  /** Other host names of the service. */
  otherHosts: readonly string[]
}

/** Names that the lab knows, and whether the service signs the host with its port. */
type KnownNames = Pick<SignatureBaseInputs, 'keyIds' | 'otherHosts'> & { port?: AuthorityPort | undefined }

/** Derives from a request, its Signature-Input and known names all that a client may have built its base from. */
export const toSignatureBaseInputs = (
  request: LabRequest,
  input: LenientSignatureInput,
  { keyIds, otherHosts, port }: KnownNames,
): SignatureBaseInputs => {
  const host = readHeaderValue(request, 'host') ?? ''
  return {
    request,
    input,
    components: input.components.length > 0 ? input.components : expectedComponents(request),
    componentOf: component => componentValue(request, component, port),
    host,
    hostName: authorityOf(host, port),
    bodyForms: request.bodyIsPartial ? [] : listBodyVariants(request.body),
    keyIds,
    otherHosts,
  }
}

/** Whether a lab request has a body: by its bytes, or by its Content-Length. */
export const hasBody = (request: LabRequest): boolean =>
  request.body.length > 0 ||
  (request.bodyIsPartial ?? false) ||
  Number(readHeaderValue(request, 'content-length') ?? 0) > 0

/** Returns the component list of clause 5.2 for a request (D-29). */
export const expectedComponents = (request: LabRequest): readonly string[] =>
  hasBody(request) ? COVERED_COMPONENTS.requestWithBody : COVERED_COMPONENTS.requestWithoutBody

/** Returns the accepted component lists of a request: both for an empty body with a digest (D-29). */
export const acceptedComponents = (request: LabRequest): readonly (readonly string[])[] =>
  !hasBody(request) &&
  request.method.toUpperCase() !== 'GET' &&
  readHeaderValue(request, 'content-digest') !== undefined
    ? [COVERED_COMPONENTS.requestWithoutBody, COVERED_COMPONENTS.requestWithBody]
    : [expectedComponents(request)]

/** Returns the value of a component by clause 5.2; of other components by RFC 9421, for clients that sign those. */
const componentValue = (request: LabRequest, name: string, port: AuthorityPort | undefined): string => {
  const host = readHeaderValue(request, 'host') ?? ''
  const [path = '', query] = request.target.split(/\?(.*)/s)
  const parts = {
    method: request.method,
    target: request.target,
    host,
    port,
    contentDigest: readHeaderValue(request, 'content-digest'),
    contentType: readHeaderValue(request, 'content-type'),
    contentLength: lengthOf(request),
  }
  const others: Record<string, string> = {
    '@path': path,
    '@query': `?${query ?? ''}`,
    '@scheme': 'https',
    '@target-uri': `https://${host}${request.target}`,
  }
  return requestComponent(parts, name) ?? others[name] ?? readHeaderValue(request, name) ?? ''
}

const lengthOf = (request: LabRequest): number =>
  request.bodyIsPartial
    ? Number(readHeaderValue(request, 'content-length') ?? request.body.length)
    : request.body.length

/** Returns the digest function that the client used, by the Content-Digest sent. */
export const digestFunctionOf = (request: LabRequest): (typeof DIGEST_ALGORITHMS)[number] => {
  const sent = readHeaderValue(request, 'content-digest')?.toLowerCase() ?? ''
  return DIGEST_ALGORITHMS.find(({ name }) => sent.startsWith(name)) ?? DIGEST_ALGORITHMS[0]
}
