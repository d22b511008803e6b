/** One request and what came of it: an answer, or the fault of the transport that kept the answer away. */
export type Exchange = {
  request: WireRequest
  answer?: WireAnswer
  fault?: TransportFault
  /** Version of TLS that was agreed on, such as `TLSv1.3`. */
  tls?: string
  durationMs: number
}

/** Header names are lower case. */
export type WireRequest = { method: string; url: string; headers: Record<string, string>; body?: Uint8Array }
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

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])
const SECRET_MEMBERS = /("(?:access_token|refresh_token|client_secret|oneTimeCode|paymentToken)"\s*:\s*")([^"]+)"/g

/** The same exchange with nothing in it that could be used again by somebody who reads a report. */
export const redact = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, headers: redactHeaders(exchange.request.headers), ...redactBody(exchange.request) },
  ...(exchange.answer && {
    answer: {
      ...exchange.answer,
      headers: redactHeaders(exchange.answer.headers),
      body: redactBytes(exchange.answer.body),
    },
  }),
})

const redactBody = ({ body }: WireRequest) => (body === undefined ? {} : { body: redactBytes(body) })

const redactBytes = (body: Uint8Array): Buffer =>
  Buffer.from(
    Buffer.from(body)
      .toString('utf8')
      .replace(SECRET_MEMBERS, (_, name, value) => `${name}${hidden(value)}"`),
  )

const redactHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? hideCredential(value) : value]),
  )

/** Keeps a scheme such as Bearer, which a failure may be about. */
const hideCredential = (value: string): string => {
  const [, scheme = '', secret = value] = /^(\w+ )?(.*)$/s.exec(value) ?? []
  return `${scheme}${hidden(secret)}`
}

const hidden = (secret: string): string => `[hidden, ${secret.length} characters]`
