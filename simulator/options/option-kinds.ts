import { isIP, isIPv4, SocketAddress } from 'node:net'
import { inspect } from 'node:util'
import { hasUserInfo, hideUserInfo } from '../../contracts/protocol/user-info.ts'
import { A_DURATION, DAY, formatDuration, parseDuration } from '../support/duration.ts'
import { isServerAddress } from '../support/postgres-server-addresses.ts'

/** The longest duration an option takes: ten years, so that no clock runs past its last instant. */
export const MAX_DURATION = 3_650 * DAY

/**
 * A kind of option value of `assay serve`: its `shape` in the help, what it `expects` where that says too little, its
 * parser, and how a program gives it in place of a text.
 */
export type OptionKind<Value> = {
  shape: string
  given: 'text' | 'number' | 'milliseconds' | 'list' | 'subset'
  expects?: string
  isSecret?: true
  parse(text: string): Value | undefined
}

export const text: OptionKind<string> = {
  shape: 'TEXT',
  given: 'text',
  expects: 'a text',
  parse: value => value || undefined,
}
/** Kind of option that is a secret which a header can carry: printable ASCII. Never shown in messages. */
export const secret: OptionKind<string> = {
  shape: 'TEXT',
  given: 'text',
  expects: 'letters, digits and signs of ASCII without a space',
  isSecret: true,
  parse: value => (/^[!-~]+$/.test(value) ? value : undefined),
}
export const port: OptionKind<number> = {
  shape: 'PORT',
  given: 'number',
  expects: 'a number from 0 to 65535',
  parse: value => (/^\d{1,5}$/.test(value) && Number(value) < 65_536 ? Number(value) : undefined),
}
export const count: OptionKind<number> = {
  shape: 'N',
  given: 'number',
  expects: 'a whole number from 1 to 999999999',
  parse: value => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined),
}
/** Creates the kind of a whole number that is at least `least`. */
export const countFrom = (least: number): OptionKind<number> => ({
  shape: 'N',
  given: 'number',
  expects: `a whole number from ${least} to 999999999`,
  parse: value => {
    const number = count.parse(value) ?? 0
    return number >= least ? number : undefined
  },
})
export const rate: OptionKind<number> = {
  shape: 'N',
  given: 'number',
  expects: 'a whole number from 0 to 999999999',
  parse: value => (/^\d{1,9}$/.test(value) ? Number(value) : undefined),
}
export const duration: OptionKind<number> = {
  shape: 'DURATION',
  given: 'milliseconds',
  expects: `${A_DURATION} such as PT2S`,
  parse: value => {
    const milliseconds = parseDuration(value)
    return milliseconds !== undefined && milliseconds <= MAX_DURATION ? milliseconds : undefined
  },
}
/** Kind of option that is a seed: `random`, or characters that need no quoting in a shell or a file. */
export const seed: OptionKind<string> = {
  shape: 'SEED|random',
  given: 'text',
  expects: 'random, or a seed of 1 to 64 letters, digits, dots and hyphens, such as 4711',
  parse: value => (/^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$/.test(value) ? value : undefined),
}
export const origin: OptionKind<string> = {
  shape: 'URL',
  given: 'text',
  expects: 'an http or https address without a user name, password or path',
  parse: value => (isOrigin(value) ? value.replace(/\/$/, '') : undefined),
}
export const list: OptionKind<readonly string[]> = {
  shape: 'A,B',
  given: 'list',
  parse: value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
}
/** Kind of option that is a PostgreSQL URL; never shown in messages, as it may hold a password. */
export const database: OptionKind<string> = {
  shape: 'URL',
  given: 'text',
  expects:
    'an address such as postgres://assay:secret@db.example/assay (no ? or # in the name of the database), where settings are sslmode (disable, no-verify, or require, verify-ca and verify-full, which verify the certificate), sslrootcert, sslcert, sslkey, sslnegotiation, options (a schema: options=-c%20search_path%3DNAME) and target_session_attrs, which is read-write, primary or any',
  isSecret: true,
  parse: value => (isServerAddress(value) ? value : undefined),
}
/** Kind of option that is a retention period: a duration of at least a day. */
export const age: OptionKind<number> = {
  shape: 'DURATION',
  given: 'milliseconds',
  expects: `${A_DURATION} of at least P1D, such as P30D`,
  parse: value => {
    const milliseconds = duration.parse(value) ?? 0
    return milliseconds >= DAY ? milliseconds : undefined
  },
}
/**
 * Creates the kind of option that is a duration within two limits, in milliseconds, such as a validity for payments
 * (R7).
 */
export const durationWithin = ({ shortest, longest }: { shortest: number; longest: number }): OptionKind<number> => ({
  shape: 'DURATION',
  given: 'milliseconds',
  expects: `${A_DURATION} from ${formatDuration(shortest)} to ${formatDuration(longest)}`,
  parse: value => {
    const milliseconds = parseDuration(value) ?? 0
    return milliseconds >= shortest && milliseconds <= longest ? milliseconds : undefined
  },
})
/**
 * Kind of an option that lists host names and IP addresses for a certificate, separated by commas: names of RFC 1123, and
 * those with underscores that container networks give.
 */
export const names: OptionKind<readonly string[]> = {
  shape: 'A,B',
  given: 'list',
  expects: 'host names or addresses such as a.example,10.0.0.1',
  parse: value => {
    const items = list.parse(value) ?? []
    return items.every(item => isIP(item) !== 0 || /^(\*\.)?[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(item))
      ? items
      : undefined
  },
}
export const ranges: OptionKind<readonly string[]> = {
  shape: 'ADDRESS,…',
  given: 'list',
  expects: 'addresses or ranges such as 10.0.0.0/8,::1',
  parse: value => {
    const items = list.parse(value) ?? []
    return items.every(isRange) ? items : undefined
  },
}
export const oneOf = <const Word extends string>(...words: readonly Word[]): OptionKind<Word> => ({
  shape: words.join('|'),
  given: 'text',
  parse: value => words.find(word => word === value),
})

/**
 * Creates the kind of option that is a comma-separated subset of given words, in their order; `none` is the empty
 * subset.
 */
export const anyOf = <const Word extends string>(...words: readonly Word[]): OptionKind<readonly Word[]> => ({
  shape: `${words.join()}|none`,
  given: 'subset',
  expects: `any of ${words.join()}, or none`,
  parse: value => {
    const items = value === 'none' ? [] : list.parse(value)
    const known = words.filter(word => items?.includes(word))
    return value !== '' && known.length === items?.length ? known : undefined
  },
})

/** Whether a text is an IP address, or a range such as 10.0.0.0/8. */
const isRange = (value: string): boolean => {
  const [address = '', prefix = '0', ...rest] = value.split('/')
  const longest = isIPv4(address) ? 32 : isAddressV6(address) ? 128 : -1
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest
}

/** Node's isIPv6 compiles a large expression, which takes a thirtieth of a start. */
const isAddressV6 = (value: string): boolean => SocketAddress.parse(`[${value}]:0`)?.family === 'ipv6'

const isOrigin = (value: string): boolean => {
  const url = URL.parse(value)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !hasUserInfo(url)
  )
}

/** Returns the given value of an option for an error message, hidden where it is secret. */
export const describeGivenValue = ({ isSecret }: OptionKind<unknown>, given: unknown): string => {
  if (isSecret) return 'not what it may be'
  return hideUserInfo(typeof given === 'string' ? `"${given}"` : inspect(given, ONE_LINE).replace(/\s+/g, ' '))
}
const ONE_LINE = { depth: 0, breakLength: Number.POSITIVE_INFINITY }

/** Describes which values an option takes, for an error message. */
export const describeExpectedValue = ({ expects, shape }: OptionKind<unknown>): string => expects ?? shape
