import { isIP } from 'node:net'
import { ALGORITHMS } from '../contracts/protocol/algorithms.ts'
import { ENCODINGS } from '../contracts/protocol/ecdsa-encoding.ts'
import { READINGS } from '../contracts/protocol/signature-base.ts'
import { DAY, MINUTE, parseDuration } from './duration.ts'

/** The layers of clause 5, in the order in which a call passes them; each can be switched off by name (D-70). */
export const GUARDS = ['certificate', 'signature', 'token'] as const
export type Guard = (typeof GUARDS)[number]

/** Ten years: longer than anything here lasts, and no clock runs out of dates. */
const LONGEST = 3_650 * DAY

/** `shape` is what the help shows; `asks` says more where a shape alone would not tell a person what to type. */
type Kind<Value> = { shape: string; asks?: string; isSecret?: true; parse(text: string): Value | undefined }

const text: Kind<string> = { shape: 'TEXT', parse: value => value || undefined }
/** What a header can carry. */
const secret: Kind<string> = {
  shape: 'TEXT',
  asks: 'letters, digits and signs of ASCII without a space',
  isSecret: true,
  parse: value => (/^[!-~]+$/.test(value) ? value : undefined),
}
const port: Kind<number> = {
  shape: 'PORT',
  parse: value => (/^\d{1,5}$/.test(value) && Number(value) < 65_536 ? Number(value) : undefined),
}
const count: Kind<number> = { shape: 'N', parse: value => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined) }
const rate: Kind<number> = { shape: 'N', parse: value => (/^\d{1,9}$/.test(value) ? Number(value) : undefined) }
const duration: Kind<number> = {
  shape: 'DURATION',
  asks: 'a duration such as PT2S',
  parse: value => {
    const milliseconds = parseDuration(value)
    return milliseconds !== undefined && milliseconds <= LONGEST ? milliseconds : undefined
  },
}
/** Letters and digits that a shell and a file take as they are. */
const seed: Kind<string> = {
  shape: 'SEED|random',
  asks: 'random, or a seed of 1 to 64 letters, digits, dots and hyphens, such as 4711',
  parse: value => (/^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$/.test(value) ? value : undefined),
}
const origin: Kind<string> = { shape: 'URL', parse: value => (isOrigin(value) ? value.replace(/\/$/, '') : undefined) }
const list: Kind<readonly string[]> = {
  shape: 'A,B',
  parse: value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
}
/** It may hold a password. */
const database: Kind<string> = {
  shape: 'URL',
  asks: 'an address such as postgres://assay:secret@db.example/assay',
  isSecret: true,
  parse: value => (/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '') ? value : undefined),
}
/** At least a day. */
const age: Kind<number> = {
  shape: 'DURATION',
  asks: 'a duration of at least P1D, such as P30D',
  parse: value => {
    const milliseconds = duration.parse(value) ?? 0
    return milliseconds >= DAY ? milliseconds : undefined
  },
}
/** What a merchant may ask for (R7). */
const validity: Kind<number> = {
  shape: 'DURATION',
  asks: 'a duration from PT5M to PT30M',
  parse: value => {
    const milliseconds = parseDuration(value) ?? 0
    return milliseconds >= 5 * MINUTE && milliseconds <= 30 * MINUTE ? milliseconds : undefined
  },
}
/** Names and addresses that a certificate can carry (RFC 1123). */
const names: Kind<readonly string[]> = {
  shape: 'A,B',
  parse: value => {
    const items = list.parse(value) ?? []
    return items.every(item => isIP(item) !== 0 || /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(item))
      ? items
      : undefined
  },
}
const guards: Kind<readonly Guard[]> = {
  shape: `${GUARDS.join()}|none`,
  asks: `any of ${GUARDS.join()}, or none`,
  parse: value => {
    const words = value === 'none' ? [] : list.parse(value)
    const known = GUARDS.filter(guard => words?.includes(guard))
    return value !== '' && known.length === words?.length ? known : undefined
  },
}
const ranges: Kind<readonly string[]> = {
  shape: 'ADDRESS,…',
  parse: value => {
    const items = list.parse(value) ?? []
    return items.every(isRange) ? items : undefined
  },
}
const oneOf = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  shape: words.join('|'),
  parse: value => words.find(word => word === value),
})

/** An address, or a range such as 10.0.0.0/8. */
const isRange = (value: string): boolean => {
  const [address = '', prefix = '0', ...rest] = value.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest
}

const isOrigin = (value: string): boolean => {
  const url = URL.parse(value)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  )
}

/**
 * Every option of `assay serve`: the same name as a flag (--api-port), an environment variable (ASSAY_API_PORT) and an
 * entry of the configuration file (api-port). Flag wins over environment, environment over file, file over default.
 */
// biome-ignore format: a table reads by its columns
export const OPTIONS = {
  'data-dir':           { kind: text,     initial: '.assay',        help: 'folder for the database and the kits' },
  'store':              { kind: database, initial: undefined,       help: 'PostgreSQL in place of the file in the data folder, for several replicas' },
  'host':               { kind: text,     initial: '127.0.0.1',     help: 'address to listen on; 0.0.0.0 for all' },
  'api-port':           { kind: port,     initial: '8443',          help: 'port of the API (HTTPS); 0 picks a free one' },
  'pages-port':         { kind: port,     initial: '8080',          help: 'port of pages and control (HTTP); 0 picks a free one' },
  'plain-port':         { kind: port,     initial: undefined,       help: 'port of the API over HTTP for exploring, without certificates; off unless given' },
  'api-url':            { kind: origin,   initial: undefined,       help: 'address at which clients reach the API, where it is not the one they used' },
  'pages-url':          { kind: origin,   initial: undefined,       help: 'address at which shoppers reach the pages, where it is not the one they used' },
  'tls-names':          { kind: names,    initial: '',              help: 'more names and addresses for the server certificate' },
  'tls-min':            { kind: oneOf('1.3', '1.2'),                             initial: '1.3',           help: 'lowest TLS version to accept (5.1)' },
  'environment':        { kind: oneOf('sandbox', 'production'),                  initial: 'sandbox',       help: 'production has no sandbox calls and cannot switch layers off' },
  'layers':             { kind: guards,   initial: GUARDS.join(),   help: 'layers that calls must pass (5)' },
  'client-cert-from':   { kind: ranges,   initial: '',              help: 'proxies whose Client-Cert is believed (RFC 9440), such as 10.0.0.0/8' },
  'settle-after':       { kind: duration, initial: 'PT2S',          help: 'from a capture to its settlement (R4)' },
  'iris-validity':      { kind: validity, initial: 'PT30M',         help: 'how long an IRIS request waits for the shopper (R7)' },
  'lifecycle':          { kind: oneOf('on', 'off'),                              initial: 'on',            help: 'whether status and events carry the fine-grained lifecycle' },
  'signature-base':     { kind: oneOf('either', ...READINGS),                    initial: 'either',        help: 'reading of the last line of the signature base to accept' },
  'signature-encoding': { kind: oneOf('either', ...ENCODINGS),                   initial: 'either',        help: 'encoding of ECDSA signatures to accept' },
  'signature-age':      { kind: duration, initial: 'PT5M',          help: 'how old a signature may be' },
  'signature-ahead':    { kind: duration, initial: 'PT1M',          help: "how far ahead a client's clock may be" },
  'answer-algorithm':   { kind: oneOf(...ALGORITHMS.map(row => row.name)),       initial: 'ECDSA_SHA_256', help: 'algorithm that signs answers' },
  'answer-base':        { kind: oneOf(...READINGS),                              initial: 'literal',       help: 'reading of the last line in the signatures of answers' },
  'answer-encoding':    { kind: oneOf(...ENCODINGS),                             initial: 'der',           help: 'encoding of the signatures of answers' },
  'control-token':      { kind: secret,   initial: undefined,       help: 'what calls of control must show as their bearer token; none unless given' },
  'variety':            { kind: seed,     initial: undefined,       help: 'seed for answers that vary within the contract (9), and for ids; off unless given' },
  'webhook-private':    { kind: ranges,   initial: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7', help: 'addresses beside public ones that webhooks may call' },
  'webhook-timeout':    { kind: duration, initial: 'PT5S',          help: 'how long a webhook waits for its answer' },
  'webhook-ca':         { kind: text,     initial: undefined,       help: 'file with one more authority (PEM) that receivers of webhooks may be certified by' },
  'body-limit':         { kind: count,    initial: '1048576',       help: 'largest body to accept, in bytes' },
  'rate-limit':         { kind: rate,     initial: '10000',         help: 'calls that an organization may make in a second; 0 for no limit' },
  'scenarios':          { kind: text,     initial: undefined,       help: 'folder of scenario files of your own; docs/scenarios.md tells how to write them' },
  'keep-payments':      { kind: age,      initial: undefined,       help: "how long payments are kept on the organization's clock; for ever unless given" },
  'journal-size':       { kind: count,    initial: '500',           help: 'calls that the journal keeps for each organization' },
} as const satisfies Record<string, { kind: Kind<unknown>; initial: string | undefined; help: string }>

export type OptionName = keyof typeof OPTIONS
type ValueOf<Name extends OptionName> = (typeof OPTIONS)[Name]['kind'] extends Kind<infer Value> ? Value : never
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** The options as the program reads them: `api-port` as `apiPort`, durations in milliseconds. */
export type Config = {
  [Name in OptionName as Camel<Name>]: (typeof OPTIONS)[Name]['initial'] extends undefined
    ? ValueOf<Name> | undefined
    : ValueOf<Name>
}

/** What was given for an option, if people may see it. */
export const told = ({ isSecret }: Kind<unknown>, text: string): string =>
  isSecret ? 'not what it may be' : `"${text}"`

/** What to give for an option, in words. */
export const asking = ({ asks, shape }: Kind<unknown>): string => asks ?? shape

export const environmentName = (name: string): string => `ASSAY_${name.toUpperCase().replaceAll('-', '_')}`

export const camelName = (name: string): string =>
  name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
