import { SIGNATURE_ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { ALGORITHMS } from '../../contracts/protocol/signature-algorithms.ts'
import { BASE_READINGS } from '../../contracts/protocol/signature-base.ts'
import { HOUR, SECOND } from '../support/duration.ts'
import * as kind from './option-kinds.ts'

/** Security layers of clause 5, in the order in which a call passes them; each can be disabled by name (D-70). */
export const SECURITY_LAYERS = ['certificate', 'signature', 'token'] as const
export type SecurityLayer = (typeof SECURITY_LAYERS)[number]

/** Ages of signatures from a second on, as `created` has whole seconds. */
const SIGNATURE_AGES = { shortest: SECOND, longest: kind.MAX_DURATION }
/** Timeouts of webhooks: a timer of Node takes 24 days at most, and one of nothing ends every attempt. */
const WEBHOOK_TIMEOUTS = { shortest: 1, longest: HOUR }

/**
 * Every option of `assay serve`: the same name as a flag (--api-port), an environment variable (ASSAY_API_PORT) and an
 * entry of the configuration file (api-port). Flag wins over environment, environment over file, file over default.
 */
// biome-ignore format: a table reads by its columns
export const OPTIONS = {
  'data-dir':           { kind: kind.text,                                      initial: '.assay',        help: 'folder for the database and the kits' },
  'store':              { kind: kind.database,                                  initial: undefined,       help: 'PostgreSQL instead of the SQLite file in the data folder, for several replicas; the npm package needs pg beside it' },
  'store-connections':  { kind: kind.countFrom(2),                              initial: '10',            help: 'connections of this process to PostgreSQL, and one more that listens' },
  'host':               { kind: kind.text,                                      initial: '127.0.0.1',     help: 'address to listen on; 0.0.0.0 for all of IPv4, :: for all of IPv6 and IPv4' },
  'api-port':           { kind: kind.port,                                      initial: '8443',          help: 'port of the API (HTTPS); 0 picks a free one' },
  'pages-port':         { kind: kind.port,                                      initial: '8080',          help: 'port of pages and control (HTTP); 0 picks a free one' },
  'plain-port':         { kind: kind.port,                                      initial: undefined,       help: 'port of the API over plain HTTP, without certificates; off by default' },
  'api-url':            { kind: kind.origin,                                    initial: undefined,       help: 'address of the API for clients, if it is not the one they used' },
  'pages-url':          { kind: kind.origin,                                    initial: undefined,       help: 'address of the pages for shoppers, if it is not the one they used' },
  'tls-names':          { kind: kind.names,                                     initial: '',              help: 'additional names and addresses for the server certificate' },
  'tls-min':            { kind: kind.oneOf('1.3', '1.2', '1.2-exception'),      initial: '1.3',           help: 'lowest TLS version to accept (5.1); 1.2-exception declares the exception that production may have' },
  'environment':        { kind: kind.oneOf('sandbox', 'production'),            initial: 'sandbox',       help: 'production has no sandbox calls and does not allow disabled layers' },
  'layers':             { kind: kind.anyOf(...SECURITY_LAYERS),                 initial: SECURITY_LAYERS.join(), help: 'security layers that calls must pass (5)' },
  'client-cert-from':   { kind: kind.ranges,                                    initial: '',              help: 'proxies whose Client-Cert header is trusted (RFC 9440), such as 10.0.0.0/8' },
  'settle-after':       { kind: kind.duration,                                  initial: 'PT2S',          help: 'time from a capture to its settlement (R4)' },
  'iris-validity':      { kind: kind.durationWithin(PROVIDERS.IRIS.window),     initial: 'PT30M',         help: 'validity of an IRIS request to pay (R7)' },
  'lifecycle':          { kind: kind.oneOf('on', 'off'),                        initial: 'on',            help: 'whether status and events include the detailed lifecycle' },
  'signature-base':     { kind: kind.oneOf('either', ...BASE_READINGS),         initial: 'either',        help: 'accepted form of the last line of the signature base' },
  'signature-encoding': { kind: kind.oneOf('either', ...SIGNATURE_ENCODINGS),   initial: 'either',        help: 'accepted encoding of ECDSA signatures' },
  'signature-age':      { kind: kind.durationWithin(SIGNATURE_AGES),            initial: 'PT5M',          help: 'maximum age of a signature' },
  'signature-ahead':    { kind: kind.duration,                                  initial: 'PT1M',          help: "how far a client's clock may be ahead" },
  'response-algorithm':   { kind: kind.oneOf(...ALGORITHMS.map(row => row.name)), initial: 'ECDSA_SHA_256', help: 'algorithm that signs responses' },
  'response-base':        { kind: kind.oneOf(...BASE_READINGS),                   initial: 'literal',       help: 'form of the last line in the signature base of responses' },
  'response-encoding':    { kind: kind.oneOf(...SIGNATURE_ENCODINGS),             initial: 'der',           help: 'encoding of the signatures of responses' },
  'control-token':      { kind: kind.secret,                                    initial: undefined,       help: 'bearer token that calls of control require; none by default' },
  'sign-in-from':       { kind: kind.ranges,                                    initial: '',              help: 'proxies at which people sign in to control and portal, whose X-Forwarded-User and X-Forwarded-Groups are trusted, such as 10.0.0.5' },
  'variety':            { kind: kind.seed,                                      initial: undefined,       help: 'seed for responses that vary within the contract (9), and for ids; off by default' },
  'webhook-private':    { kind: kind.ranges,                                    initial: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7', help: 'private addresses that webhooks may call, besides public ones' },
  'webhook-timeout':    { kind: kind.durationWithin(WEBHOOK_TIMEOUTS),          initial: 'PT5S',          help: 'how long a webhook waits for its response' },
  'webhook-ca':         { kind: kind.text,                                      initial: undefined,       help: 'file with an additional certificate authority (PEM) for receivers of webhooks' },
  'unknown-members':    { kind: kind.oneOf('refuse', 'ignore', 'note'),         initial: 'refuse',        help: 'what becomes of requests with members that the contract does not name: refused, accepted, or accepted with a header that names them' },
  'body-limit':         { kind: kind.count,                                     initial: '1048576',       help: 'maximum body size in bytes' },
  'rate-limit':         { kind: kind.rate,                                      initial: '10000',         help: 'calls per second for each organization; 0 for no limit' },
  'scenarios':          { kind: kind.text,                                      initial: undefined,       help: 'folder of scenario files of your own; docs/scenarios.md explains the format' },
  'init':               { kind: kind.text,                                      initial: undefined,       help: 'file with organizations to have at the start, their keys, webhook endpoints and scenarios; docs/containers.md explains the format' },
  'dialect':            { kind: kind.text,                                      initial: undefined,       help: 'profile of a deployment whose dialect the API speaks, and whose decisions it follows' },
  'max-organizations':  { kind: kind.count,                                     initial: undefined,       help: 'number of organizations beyond which none is created; unlimited by default' },
  'max-payments':       { kind: kind.count,                                     initial: undefined,       help: 'number of payments of an organization beyond which initiate and charge are refused; unlimited by default' },
  'keep-organizations': { kind: kind.age,                                       initial: undefined,       help: 'how long an organization stays that nobody uses; for ever by default' },
  'keep-payments':      { kind: kind.age,                                       initial: undefined,       help: "retention of payments on the organization's clock; unlimited by default" },
  'accept-loss':        { kind: kind.oneOf('yes', 'no'),                        initial: 'no',            help: 'whether to start where acknowledged writes are missing from the database' },
  'shop':               { kind: kind.oneOf('on', 'off'),                        initial: undefined,       help: 'whether the demo shop is at /shop; on in the sandbox, and production has none' },
  'metrics':            { kind: kind.oneOf('on', 'off'),                        initial: 'off',           help: 'whether GET /metrics at the pages port has metrics for Prometheus; the npm package needs prom-client beside it' },
  'metrics-token':      { kind: kind.secret,                                    initial: undefined,       help: 'bearer token that reads the metrics and nothing else; by default the control token does' },
  'log':                { kind: kind.oneOf('text', 'json'),                     initial: 'text',          help: 'form of what is printed: sentences for people, or a JSON line for each event, for which the npm package needs pino beside it' },
  'log-level':          { kind: kind.oneOf('info', 'warn', 'error'),            initial: 'info',          help: 'least level of the JSON lines; info has a line for each call, and acts have theirs at every level' },
  'journal-size':       { kind: kind.count,                                     initial: '500',           help: 'number of calls that the journal keeps for each organization' },
} as const satisfies Record<string, { kind: kind.OptionKind<unknown>; initial: string | undefined; help: string }>

export type OptionName = keyof typeof OPTIONS
type ValueOf<Name extends OptionName> =
  (typeof OPTIONS)[Name]['kind'] extends kind.OptionKind<infer Value> ? Value : never
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/**
 * Configuration of the simulator: options as the program reads them, `api-port` as `apiPort`, durations in
 * milliseconds.
 */
export type Config = {
  [Name in OptionName as Camel<Name>]: (typeof OPTIONS)[Name]['initial'] extends undefined
    ? ValueOf<Name> | undefined
    : ValueOf<Name>
}

/** Converts the name of an option to its environment variable: `api-port` to ASSAY_API_PORT. */
export const toEnvironmentName = (name: string): string => `ASSAY_${name.toUpperCase().replaceAll('-', '_')}`

/** Converts the name of an option to its Config member: `api-port` to apiPort. */
export const toConfigName = (name: string): string =>
  name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
