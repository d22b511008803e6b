// biome-ignore format: a table reads by its columns
const CURES: readonly (readonly [code: RegExp, cure: string])[] = [
  [/_ALERT_/,                                   'it refuses the client certificate, correct organization.certificate'],
  [/^CERT_HAS_EXPIRED$/,                        'its certificate has expired, have it renewed; else correct target.baseUrl'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/, 'correct target.baseUrl'],
  [/SELF_SIGNED|^UNABLE_TO_(VERIFY|GET_ISSUER)/, 'it has a certificate of another authority, correct organization.ca'],
]

/** Says what to do about a call without a response, by the code of its transport error, and which line to correct. */
export const transportErrorCure = (code = ''): string =>
  CURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'start it, or correct target.baseUrl'
