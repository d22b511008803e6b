/** Whether a URL has a user name or password (RFC 3986, 3.2.1): no address takes them, as addresses are shown and saved. */
export const hasUserInfo = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** Replaces user name and password of what may be a URL, for error messages. */
export const hideUserInfo = (text: string): string => text.replace(/([a-z][a-z0-9+.-]*:)[\\/]*.*@/gis, '$1//***@')
