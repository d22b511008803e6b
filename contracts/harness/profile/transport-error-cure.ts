import type { TransportError } from '../../client/http-exchange.ts'
import type { Profile } from './profile.ts'

/** Codes of transport errors that tell of a response, if not of one that can be read. */
const RESPONDS = /^(HPE_|ANSWER_)/

/** Whether a transport error tells of a response, which cannot be read. */
export const isUnreadableResponse = ({ code }: TransportError): boolean => RESPONDS.test(code)

// biome-ignore format: a table reads by its columns
const CURES: readonly (readonly [code: RegExp, cure: string])[] = [
  [/_ALERT_/,                                   'it refuses the client certificate, correct organization.certificate'],
  [/^CERT_HAS_EXPIRED$/,                        'its certificate has expired, have it renewed; else correct target.baseUrl'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/, 'correct target.baseUrl'],
  [RESPONDS,                                    'mend it, or correct target.baseUrl'],
  [/SELF_SIGNED|^UNABLE_TO_(VERIFY|GET_ISSUER)/, 'it has a certificate of another authority, correct organization.ca'],
]

/** Says what to do about a call without a response, by the code of its transport error, and which line to correct. */
export const transportErrorCure = (profile: CorrectedProfile, code = ''): string =>
  withPlaceToCorrect(
    profile,
    CURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'start it, or correct target.baseUrl',
  )

type CorrectedProfile = Pick<Profile, 'file' | 'overridden'>

/** The lines of a profile that an option of the command overrides. */
const LINES_OF_OPTIONS = { 'base-url': /target\.baseUrl/, kit: /\borganization(\.\w+)?/ } as const

/** Completes a cure by the file of its lines; names the option in place of a line that it overrides. */
export const withPlaceToCorrect = ({ file, overridden = [] }: CorrectedProfile, cure: string): string => {
  const placed = overridden.reduce((text, option) => text.replace(LINES_OF_OPTIONS[option], `--${option}`), cure)
  const namesLine = placed === cure || / or (?!correct )/.test(placed)
  return namesLine ? `${placed} in ${file}` : placed
}

/** Describes a service without a response by its transport error: what it does not do, or the code and the message. */
export const describeUnreachable = ({ code, message }: TransportError): string =>
  /wrong version number/.test(message)
    ? 'does not speak TLS (it looks like plain HTTP)'
    : `cannot be reached (${code}: ${message})`
