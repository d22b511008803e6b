import { DIGESTS } from '../content-digest.ts'
import { authorityOf, COMPONENTS, requestComponent } from '../signature-base.ts'
import { type BodyForm, bodyForms } from './body-forms.ts'
import type { KindInput } from './read-input.ts'
import { headerOf, type LabRequest } from './request.ts'

/** What a client may have had at hand when it built its base. */
export type Facts = {
  request: LabRequest
  input: KindInput
  /** The components as listed, or those that the contract wants where none are. */
  components: readonly string[]
  componentOf(component: string): string
  host: string
  hostName: string
  bodyForms: readonly BodyForm[]
  /** Ids of all keys at hand. */
  keyIds: readonly string[]
  /** Other names under which the service is reached. */
  otherHosts: readonly string[]
}

export type Surroundings = Pick<Facts, 'keyIds' | 'otherHosts'>

export const factsOf = (request: LabRequest, input: KindInput, { keyIds, otherHosts }: Surroundings): Facts => {
  const host = headerOf(request, 'host') ?? ''
  return {
    request,
    input,
    components: input.components.length > 0 ? input.components : expectedComponents(request),
    componentOf: component => componentValue(request, component),
    host,
    hostName: authorityOf(host),
    bodyForms: request.bodyIsPartial ? [] : bodyForms(request.body),
    keyIds,
    otherHosts,
  }
}

/** Whether there is a body, by what is there or by what was announced. */
export const hasBody = (request: LabRequest): boolean =>
  request.body.length > 0 || (request.bodyIsPartial ?? false) || Number(headerOf(request, 'content-length') ?? 0) > 0

/** The list of clause 5.2 for this request (D-29). */
export const expectedComponents = (request: LabRequest): readonly string[] =>
  hasBody(request) ? COMPONENTS.requestWithBody : COMPONENTS.requestWithoutBody

/** Every list that is accepted: an empty body with a digest may be signed either way (D-29). */
export const acceptedComponents = (request: LabRequest): readonly (readonly string[])[] =>
  !hasBody(request) && request.method.toUpperCase() !== 'GET' && headerOf(request, 'content-digest') !== undefined
    ? [COMPONENTS.requestWithoutBody, COMPONENTS.requestWithBody]
    : [expectedComponents(request)]

/** The value of a component as this dialect has it; of others as RFC 9421 has it, for clients that sign those. */
const componentValue = (request: LabRequest, name: string): string => {
  const host = headerOf(request, 'host') ?? ''
  const [path = '', query] = request.target.split(/\?(.*)/s)
  const parts = {
    method: request.method,
    target: request.target,
    host,
    contentDigest: headerOf(request, 'content-digest'),
    contentType: headerOf(request, 'content-type'),
    contentLength: lengthOf(request),
  }
  const others: Record<string, string> = {
    '@path': path,
    '@query': `?${query ?? ''}`,
    '@scheme': 'https',
    '@target-uri': `https://${host}${request.target}`,
  }
  return requestComponent(parts, name) ?? others[name] ?? headerOf(request, name) ?? ''
}

const lengthOf = (request: LabRequest): number =>
  request.bodyIsPartial ? Number(headerOf(request, 'content-length') ?? request.body.length) : request.body.length

/** The digest function that the client uses, by what it sends. */
export const digestFunctionOf = (request: LabRequest): (typeof DIGESTS)[number] => {
  const sent = headerOf(request, 'content-digest')?.toLowerCase() ?? ''
  return DIGESTS.find(({ name }) => sent.startsWith(name)) ?? DIGESTS[0]
}
