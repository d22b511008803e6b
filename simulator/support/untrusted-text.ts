/** Replaces line breaks, control and bidirectional characters by U+FFFD, for messages that quote untrusted text. */
export const toSingleLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

const MAX_LENGTH = 100

/** Truncates client input to 100 characters, for use in error messages and in the journal. */
export const truncate = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
