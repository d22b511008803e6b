/** Schemes by which no address leads back to a shop, beside http and https, which need a host. */
const OTHER_SCHEMES = [
  'javascript',
  'vbscript',
  'data',
  'blob',
  'file',
  'filesystem',
  'ftp',
  'ws',
  'wss',
  'view-source',
  'about',
]

/** Returns the pattern of a scheme in small or capital letters (RFC 3986 3.1); a pattern in JSON Schema has no flags. */
const inAnyCase = (scheme: string): string => scheme.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)

const HTTP = `${inAnyCase('http')}[sS]?`

/** The pattern of a returnUrl in the OpenAPI description: http and https without a user name, or the scheme of an app (D-110). */
export const RETURN_ADDRESS_PATTERN = `^(${HTTP}://[^/?#@]+([/?#]|$)|(?!(${[HTTP, ...OTHER_SCHEMES.map(inAnyCase)].join('|')}):)[a-zA-Z][a-zA-Z0-9+.-]*:/)`

/** Whether a text is an address that may lead a shopper back to the shop (2.1). */
export const isReturnAddress = (text: string): boolean =>
  new RegExp(RETURN_ADDRESS_PATTERN).test(text) && URL.canParse(text)
