/** Values of `target_session_attrs` by which an address asks for a server that takes changes. */
const WRITABLE: readonly string[] = ['read-write', 'primary']

/** Hosts of an address of `--store`: everything before them, they, and the rest. */
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/i

/**
 * Splits an address of `--store` into one for each of its hosts, in their order: `postgres://a,b:5433/db` is
 * `postgres://a/db` and `postgres://b:5433/db`. Without our own settings, and with `sslmode` and the name of the
 * database as the driver takes them.
 */
export const serverAddresses = (address: string): readonly string[] => {
  const [, start = address, hosts = '', rest = ''] = HOSTS.exec(address) ?? []
  return hosts.split(',').map(host => asTheDriverTakesIt(`${start}${host}${rest}`))
}

/**
 * Whether connections to a PostgreSQL address must be to a server that takes changes: it says so, or names several
 * hosts.
 */
export const needsWritable = (address: string): boolean => {
  const [first = '', ...others] = HOSTS.exec(address)?.[2]?.split(',') ?? []
  const wanted = URL.parse(address.replace(HOSTS, `$1${first}$3`))?.searchParams.get(TARGET)
  return wanted == null ? others.length > 0 : WRITABLE.includes(wanted)
}
const TARGET = 'target_session_attrs'

/** Settings that are ours: the driver lets those of an address win over those of its caller. */
const OWN_SETTINGS = [
  'application_name',
  'statement_timeout',
  'query_timeout',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  TARGET,
]

const anyValue = (name: string): [string, undefined] => [name, undefined]

/**
 * Settings that an address may have, each with its values. The driver would ignore another, such as `schema`, by which two
 * sandboxes would share one, and read another value as something else.
 */
const SETTINGS: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ...[...OWN_SETTINGS, 'fallback_application_name', 'options', 'user', 'password', 'host', 'port'].map(anyValue),
  ...['sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat'].map(anyValue),
  [TARGET, ['', 'any', ...WRITABLE]],
  ['sslmode', ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']],
  ['sslnegotiation', ['postgres', 'direct']],
  ['ssl', ['true', '1', '0']],
])

/** Whether a text is an address of PostgreSQL: each of its hosts, what it asks of them, and no setting that is ignored. */
export const isServerAddress = (text: string): boolean => {
  const settings = [...new URLSearchParams(text.split('?')[1])]
  return (
    HOSTS.test(text) &&
    serverAddresses(text).every(isOneServer) &&
    settings.every(([name, value]) => SETTINGS.has(name) && (SETTINGS.get(name)?.includes(value) ?? true))
  )
}

/** Characters of the name of a database that the driver takes as they are, but does not decode. */
const ENCODED_IN_VAIN = /%(24|26|2B|2C|2F|3A|3B|3D|40)/gi
/** Those that it can take neither way: `?` and `#`. */
const IMPOSSIBLE = /%(3F|23)/i
/** Values of `sslmode` that the driver takes for `verify-full`, with a warning on stderr. */
const ALIASES: readonly string[] = ['require', 'verify-ca']

const isOneServer = (address: string): boolean => {
  const url = URL.parse(address)
  return /^postgres(ql)?:$/.test(url?.protocol ?? '') && !IMPOSSIBLE.test(url?.pathname ?? '')
}

const asTheDriverTakesIt = (address: string): string => {
  const url = URL.parse(address)
  for (const name of OWN_SETTINGS) url?.searchParams.delete(name)
  const [mode = '', isLibpq] = ['sslmode', 'uselibpqcompat'].map(name => url?.searchParams.getAll(name).at(-1))
  if (ALIASES.includes(mode) && isLibpq !== 'true') url?.searchParams.set('sslmode', 'verify-full')
  if (url) url.pathname = url.pathname.replace(ENCODED_IN_VAIN, decodeURIComponent)
  return url?.href ?? address
}
