/** Parses JSON; an integer beyond 2^53 is kept as its text, because a number would lose digits. Throws SyntaxError. */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown) : JSON.parse(text)

const keepDigits = (_name: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value

/** Returns the digits of an integer of any size as a value that JSON.stringify writes as a number. */
export const toJsonInteger = (digits: string): unknown =>
  Number.isSafeInteger(Number(digits))
    ? Number(digits)
    : (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)
