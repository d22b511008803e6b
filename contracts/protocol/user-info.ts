/** Whether a URL has a user name or password (RFC 3986, 3.2.1): no address takes them, as addresses are shown and saved. */
export const hasUserInfo = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** Replaces user name and password of what may be a URL, for error messages. */
export const hideUserInfo = (text: string): string => {
  const [scheme, at] = [text.search(/[a-z0-9+.-]:/i), text.lastIndexOf('@')]
  return scheme < 0 || at < scheme ? text : `${text.slice(0, scheme + 1)}://***${text.slice(at)}`
}
