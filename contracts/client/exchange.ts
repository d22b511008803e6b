import type { EndpointName } from './endpoints.ts'

/** One request and what came of it: an answer, or the fault of the transport that kept the answer away. */
export type Exchange = {
  request: WireRequest
  answer?: WireAnswer
  fault?: TransportFault
  /** Version of TLS that was agreed on, such as `TLSv1.3`. */
  tls?: string
  /** When the request was sent, ISO 8601. */
  at?: string
  durationMs: number
}

/** Header names are lower case. */
export type WireRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body?: Uint8Array
  /** The endpoint that was meant, whatever its address; absent for calls that no endpoint describes. */
  endpoint?: EndpointName
  /** Members that are secret in the spelling of this deployment. */
  secretMembers?: readonly string[]
}
export type WireAnswer = { status: number; headers: Record<string, string>; body: Buffer }
/** `code` is Node's or OpenSSL's, such as ECONNREFUSED. */
export type TransportFault = { code: string; message: string }

/** The JSON of an answer, or undefined where there is none. */
export const jsonOf = (exchange: Exchange): unknown => {
  try {
    return JSON.parse(exchange.answer?.body.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** One line that names an exchange: `POST https://…/payments/capture → 422 in 4 ms`. */
export const lineOf = ({ request, answer, fault, durationMs }: Exchange): string =>
  `${request.method} ${request.url} → ${answer?.status ?? fault?.code ?? 'nothing'} in ${Math.round(durationMs)} ms`
