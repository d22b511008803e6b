import type { Exchange, WireRequest } from './http-exchange.ts'

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])
const SECRET_MEMBERS = 'access_token|refresh_token|id_token|client_secret|oneTimeCode|paymentToken|secret|d'.split('|')
const SECRET_VALUE = String.raw`("(?:[^"\\]|\\.)*"|\d+)`
const SECRET_FORM = /((?:^|&)(?:client_secret|access_token|refresh_token|password)=)([^&]+)/g
const PRIVATE_KEY = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----(?:(?!-----BEGIN )[\s\S])*?-----END \1-----/g
/** Length from which a known secret is replaced anywhere in a text; a shorter one could match by coincidence. */
const MIN_SECRET_LENGTH = 16
const HIDDEN = /^\[hidden( \d+)?, \d+ characters\]$/

/** Secrets that an earlier redactor has numbered: how many in all, and the labels of those that may come again. */
export type NumberedSecrets = { count: number; labels: Readonly<Record<string, string>> }

type RedactorOptions = { numbered?: boolean; earlier?: NumberedSecrets }

export type Redactor = ReturnType<typeof createRedactor>

/**
 * Creates a redactor of bearer tokens, one-time codes, secrets and private keys. Equal secrets get equal numbers, so
 * that a reader can still compare them. Call `learn` for every exchange before redacting any.
 */
export const createRedactor = ({ numbered = true, earlier }: RedactorOptions = {}) => {
  const labels = new Map(Object.entries(earlier?.labels ?? {}))
  const unnamed = Math.max(0, (earlier?.count ?? 0) - labels.size)
  const names = new Set(SECRET_MEMBERS)
  let secretMember = memberNamed(names)
  /** Adds the secret member names of a deployment. */
  const learnNames = ({ secretMembers = [] }: WireRequest): void => {
    if (secretMembers.every(name => names.has(name))) return
    for (const name of secretMembers) names.add(name)
    secretMember = memberNamed(names)
  }
  const hide = (secret: string): string => {
    if (HIDDEN.test(secret)) return secret
    const label = `[hidden${numbered ? ` ${unnamed + labels.size + 1}` : ''}, ${secret.length} characters]`
    const known = labels.get(secret) ?? label
    labels.set(secret, known)
    return known
  }
  /** Redacts a credential header but keeps its scheme, such as Bearer. */
  const credential = (value: string): string => {
    const [, scheme = '', secret = value] = /^(\w+ )?(.*)$/s.exec(value) ?? []
    return secret === '' ? value : `${scheme}${hide(secret)}`
  }
  const named = (text: string): string =>
    text
      .replace(secretMember, (_, name: string, value: string) =>
        value === '""' ? `${name}""` : `${name}"${hide(value.replace(/^"|"$/g, ''))}"`,
      )
      .replace(SECRET_FORM, (_, name: string, value: string) => `${name}${hide(value)}`)
      .replace(PRIVATE_KEY, key => hide(key))
  const everywhere = (text: string): string => {
    let shown = text
    for (const [secret, label] of labels)
      if (secret.length >= MIN_SECRET_LENGTH && shown.includes(secret)) shown = shown.replaceAll(secret, label)
    return shown
  }
  const hideText = (text: string): string => everywhere(named(text))
  const bytes = (body: Uint8Array): Buffer => {
    const text = Buffer.from(body).toString('utf8')
    const shown = hideText(text)
    return shown === text ? Buffer.from(body) : Buffer.from(shown)
  }
  const headers = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        SECRET_HEADERS.has(name) ? credential(value) : hideText(value),
      ]),
    )
  const body = ({ body: sent }: WireRequest) => (sent === undefined ? {} : { body: bytes(sent) })
  const hideExchange = (exchange: Exchange): Exchange => {
    const { request, response } = exchange
    learnNames(request)
    return {
      ...exchange,
      request: { ...request, url: hideText(request.url), headers: headers(request.headers), ...body(request) },
      ...(response && { response: { ...response, headers: headers(response.headers), body: bytes(response.body) } }),
    }
  }
  return {
    /** Collects the secrets of an exchange, to redact them in others. */
    learn: (exchange: Exchange): void => void hideExchange(exchange),
    exchange: hideExchange,
    text: hideText,
    /** The secrets numbered so far, with the labels of those that this text contains. */
    secretsIn: (text: string): NumberedSecrets => ({
      count: unnamed + labels.size,
      labels: Object.fromEntries([...labels].filter(([secret]) => text.includes(JSON.stringify(secret).slice(1, -1)))),
    }),
  }
}

const memberNamed = (names: ReadonlySet<string>): RegExp =>
  new RegExp(`("(?:${[...names].map(name => name.replace(/\W/g, '\\$&')).join('|')})"\\s*:\\s*)${SECRET_VALUE}`, 'g')

/** Redacts the secrets of a single exchange. */
export const redact = (exchange: Exchange): Exchange => createRedactor({ numbered: false }).exchange(exchange)
