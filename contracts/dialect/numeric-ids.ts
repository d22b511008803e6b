/** Converter of ids between the form in which a service keeps them and their text on the wire. */
export type IdForm = { write(id: string): string; read(text: string): string }

/** Id form of a service whose ids are on the wire as it keeps them. */
export const SAME_IDS: IdForm = { write: id => id, read: text => text }

/** UUIDs that hold a number of 52 bits: as numbers they are exact in every JSON parser. */
const SHORT = /^00000000-0000-7000-800([0-9a-f])-([0-9a-f]{12})$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHORT_BITS = 52n
const UUID_DIGITS = 32

/**
 * Id form in which UUIDs are decimal numbers: a short one below 2^52, another by its 128 bits. Texts that are no UUID
 * stay. One to one but for UUIDs below 2^52, of which the service makes none: their numbers are those of short ones.
 */
export const UUIDS_AS_NUMBERS: IdForm = {
  write: id => {
    const [, high, low] = SHORT.exec(id) ?? []
    if (high !== undefined) return String(Number.parseInt(`${high}${low}`, 16))
    return UUID.test(id) ? BigInt(`0x${id.replaceAll('-', '')}`).toString() : id
  },
  read: text => {
    if (!/^(0|[1-9]\d{0,38})$/.test(text)) return text
    const number = BigInt(text)
    const hex = number.toString(16)
    if (hex.length > UUID_DIGITS) return text
    return number >> SHORT_BITS === 0n ? shortUuid(hex.padStart(13, '0')) : dashed(hex.padStart(UUID_DIGITS, '0'))
  },
}

/** Shortens a random UUID to 52 of its random bits, so that it is a small number on the wire. */
export const shortenUuid = (uuid: string): string => shortUuid(uuid.replaceAll('-', '').slice(-13))

/** Converts a whole number below 2^52 to the UUID that stands for it. */
export const numberedUuid = (number: number): string => shortUuid(number.toString(16).padStart(13, '0'))

const shortUuid = (hex: string): string => `00000000-0000-7000-800${hex.slice(0, 1)}-${hex.slice(1)}`

const dashed = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
