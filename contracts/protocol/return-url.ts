/** The pattern of a returnUrl in the OpenAPI description: http and https without a user name, or the scheme of an app (D-110). */
export const RETURN_ADDRESS_PATTERN =
  '^(https?://[^/?#@]+([/?#]|$)|(?!(https?|javascript|vbscript|data|blob|file|filesystem|ftp|wss?|view-source|about):)[a-z][a-z0-9+.-]*:/)'

/** Whether a text is an address that may lead a shopper back to the shop (2.1). */
export const isReturnAddress = (text: string): boolean =>
  new RegExp(RETURN_ADDRESS_PATTERN).test(text) && URL.canParse(text)
