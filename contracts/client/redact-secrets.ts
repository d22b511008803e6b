import type { Exchange, WireRequest, WireResponse } from './http-exchange.ts'
import { createSecretFinder } from './secret-finder.ts'

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])
const SECRET_HEADER = new RegExp(`"(?:${[...SECRET_HEADERS].join('|')})\\\\?"`, 'i')
const SECRET_MEMBERS = 'access_token|refresh_token|id_token|client_secret|oneTimeCode|paymentToken|secret|d'.split('|')
/** A JSON string, also one that is cut off: in a document, and in a document that is a string of another. */
const STRING = String.raw`"(?:[^"\\]|\\[^])*(?:"|\\?$)`
const QUOTED_STRING = String.raw`\\"(?:[^"\\]|\\\\(?:\\["\\]|[^"\\])|\\[^"\\])*(?:\\"|(?=")|\\{0,3}$)`
const BLANKS = String.raw`(?:\s|\\[nrt])*`
const SECRET_FORM = /((?:^|&)(?:client_secret|access_token|refresh_token|password)=)([^&]+)/g
const PRIVATE_KEY = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----(?:(?!-----BEGIN )[\s\S])*?-----END \1-----/g
const HIDDEN = /^\[hidden( \d+)?, \d+ characters\]$/

/** Bytes of a body that are redacted and shown; the rest of a longer one is left out of reports and transcripts. */
export const MAX_SHOWN_BYTES = 64 * 1024
/** Secrets of one response that are numbered and sought elsewhere: the deployment under test may name any number. */
const MAX_LEARNED_FROM_RESPONSE = 100
/** Secrets of all responses together that are; what requests hold, the client itself has sent, and is not counted. */
const MAX_LEARNED_FROM_RESPONSES = 10_000

/** Secrets that an earlier redactor has numbered: how many in all, and the labels of those that may come again. */
export type NumberedSecrets = { count: number; labels: Readonly<Record<string, string>> }

type RedactorOptions = { numbered?: boolean; earlier?: NumberedSecrets }

export type Redactor = ReturnType<typeof createRedactor>

/**
 * Creates a redactor of bearer tokens, one-time codes, secrets and private keys. Equal secrets get equal numbers, so
 * that a reader can still compare them. Call `learn` for every exchange before redacting any. Its time and memory are in
 * proportion to what is shown, whatever a response holds.
 */
export const createRedactor = ({ numbered = true, earlier }: RedactorOptions = {}) => {
  const labels = new Map(Object.entries(earlier?.labels ?? {}))
  const unnamed = Math.max(0, (earlier?.count ?? 0) - labels.size)
  const finder = createSecretFinder()
  for (const secret of labels.keys()) finder.add(secret)
  const names = new Set(SECRET_MEMBERS)
  let secretMember = memberNamed(names)
  const learned = new WeakSet<Exchange>()
  /** How many more secrets may be learned from the text at hand, and from all responses together. */
  let [allowed, allowedInResponses] = [0, MAX_LEARNED_FROM_RESPONSES]
  let onHidden: (secret: string, label: string) => void = () => undefined
  /** Adds the secret member names of a deployment. */
  const learnNames = ({ secretMembers = [] }: WireRequest): void => {
    if (secretMembers.every(name => names.has(name))) return
    for (const name of secretMembers) names.add(name)
    secretMember = memberNamed(names)
  }
  const labelOf = (secret: string): string => {
    const known = labels.get(secret)
    if (known !== undefined || allowed <= 0) return known ?? `[hidden, ${secret.length} characters]`
    allowed -= 1
    const label = `[hidden${numbered ? ` ${unnamed + labels.size + 1}` : ''}, ${secret.length} characters]`
    labels.set(secret, label)
    finder.add(secret)
    return label
  }
  const hide = (secret: string): string => {
    if (HIDDEN.test(secret)) return secret
    const label = labelOf(secret)
    onHidden(secret, label)
    return label
  }
  /** Redacts a credential header but keeps its scheme, such as Bearer. */
  const credential = (value: string): string => {
    const [, scheme = '', secret = value] = /^(\w+ )?(.*)$/s.exec(value) ?? []
    return secret === '' ? value : `${scheme}${hide(secret)}`
  }
  const member = (_: string, name: string, __: string, value: string): string => {
    const quote = name.startsWith('\\') ? '\\"' : '"'
    const secret = value.startsWith(quote) ? unquoted(value, quote) : value
    const hidden = SECRET_HEADER.test(name) ? credential(secret) : secret && hide(secret)
    return `${name}${quote}${hidden}${quote}`
  }
  const named = (text: string): string =>
    text
      .replace(secretMember, member)
      .replace(SECRET_FORM, (_, name: string, value: string) => `${name}${hide(value)}`)
      .replace(PRIVATE_KEY, key => hide(key))
  const hideText = (text: string, isCut = false): string => finder.replace(named(text), hide, isCut)
  const bytes = (whole: Uint8Array, text = hideText) => {
    const body = beginningOf(whole)
    const isCut = body.length < whole.length
    const said = body.toString('utf8')
    const shown = text(said, isCut)
    return { body: shown === said ? body : Buffer.from(shown), ...(isCut && { cutFrom: whole.length }) }
  }
  const headers = (values: Record<string, string>, text = hideText): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) =>
        SECRET_HEADERS.has(name) ? [name, credential(value)] : [text(name), text(value)],
      ),
    )
  const hideRequest = (request: WireRequest, text = hideText): WireRequest => ({
    ...request,
    url: text(request.url),
    headers: headers(request.headers, text),
    ...(request.body && bytes(request.body, text)),
  })
  const hideResponse = (response: WireResponse, text = hideText): WireResponse => ({
    ...response,
    headers: headers(response.headers, text),
    ...bytes(response.body, text),
  })
  const learn = (exchange: Exchange): void => {
    if (learned.has(exchange)) return
    learned.add(exchange)
    const { request, response } = exchange
    learnNames(request)
    allowed = Number.POSITIVE_INFINITY
    hideRequest(request, named)
    const granted = Math.min(MAX_LEARNED_FROM_RESPONSE, allowedInResponses)
    allowed = granted
    if (response) hideResponse(response, named)
    allowedInResponses -= granted - allowed
    allowed = 0
  }
  const hideExchange = (exchange: Exchange): Exchange => {
    learn(exchange)
    const { request, response, transportError } = exchange
    return {
      ...exchange,
      request: hideRequest(request),
      ...(response && { response: hideResponse(response) }),
      ...(transportError && { transportError: { ...transportError, message: hideText(transportError.message) } }),
    }
  }
  return {
    /** Collects the secrets of an exchange, to redact them in others. */
    learn,
    exchange: hideExchange,
    text: (text: string): string => hideText(text),
    /** The secrets numbered so far, with the labels of those that these exchanges hold. */
    secretsIn: (exchanges: readonly Exchange[]): NumberedSecrets => {
      const held = new Map<string, string>()
      onHidden = (secret, label) => void (labels.has(secret) && held.set(secret, label))
      for (const exchange of exchanges) hideExchange(exchange)
      onHidden = () => undefined
      return { count: unnamed + labels.size, labels: Object.fromEntries(held) }
    },
  }
}

/** Returns the beginning of a body that is shown; it does not end within a character of UTF-8. */
export const beginningOf = (body: Uint8Array): Buffer => {
  const all = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (all.length <= MAX_SHOWN_BYTES) return all
  let end = MAX_SHOWN_BYTES
  while (end > MAX_SHOWN_BYTES - 4 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return all.subarray(0, end)
}

/** Matches members of these names, and of secret headers, in JSON and in JSON that is a string there. */
const memberNamed = (names: ReadonlySet<string>): RegExp => {
  const either = [...names].map(name => name.replace(/\W/g, '\\$&')).join('|')
  const headers = [...SECRET_HEADERS].map(name =>
    name.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`),
  )
  return new RegExp(
    `((\\\\?)"(?:${[either, ...headers].join('|')})\\2"${BLANKS}:${BLANKS})(${QUOTED_STRING}|${STRING}|\\d+)`,
    'g',
  )
}

const unquoted = (value: string, quote: string): string =>
  value.slice(quote.length, value.length > quote.length && value.endsWith(quote) ? -quote.length : undefined)

/** Creates a redactor that hides every secret of these exchanges, without numbers. */
export const redactorOf = (exchanges: readonly Exchange[]): Redactor => {
  const redactor = createRedactor({ numbered: false })
  for (const exchange of exchanges) redactor.learn(exchange)
  return redactor
}

/** Redacts the secrets of a single exchange. */
export const redact = (exchange: Exchange): Exchange => createRedactor({ numbered: false }).exchange(exchange)
