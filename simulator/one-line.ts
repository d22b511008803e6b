/** Sentences are one line, whatever of a stranger's text is in them: what would break the line, or fool the eye, is marked. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
