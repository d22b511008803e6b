/**
 * Returns the end of a Set-Cookie value: where the pages are reached over HTTPS, the browser sends the cookie over
 * nothing else.
 */
export const secureAt = (pagesUrl: string | undefined): string => (pagesUrl?.startsWith('https:') ? '; Secure' : '')
