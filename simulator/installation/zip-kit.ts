import { crc32 } from 'node:zlib'
import { kitFiles, modeOf } from '../../contracts/client/kit-files.ts'
import type { Kit } from './merchant-kit.ts'

/** Signatures and versions of the ZIP format (APPNOTE 4.3): made on Unix, so that permissions are kept. */
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50]
const [NEEDED, MADE_BY] = [20, (3 << 8) | 20]
/** The first day that the format knows: an archive of the same kit is the same bytes. */
const DATE = (1 << 5) | 1
const REGULAR_FILE = 0o100000

/** Returns a ZIP archive, uncompressed, of a kit's folder, which is named after the organization. */
export const zipKit = (kit: Kit): Uint8Array<ArrayBuffer> => {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const file of kitFiles(kit)) {
    const name = Buffer.from(`${kit.organizationId}/${file.name}`)
    const text = Buffer.from(file.text)
    const facts = factsOf(name, text)
    const body = Buffer.concat([numbers([LOCAL, 4]), facts, name, text])
    const attributes = ((REGULAR_FILE | modeOf(file)) << 16) >>> 0
    const rest = numbers([0, 2], [0, 2], [0, 2], [attributes, 4], [offset, 4])
    bodies.push(body)
    entries.push(Buffer.concat([numbers([CENTRAL, 4], [MADE_BY, 2]), facts, rest, name]))
    offset += body.length
  }
  const directory = Buffer.concat(entries)
  const count = entries.length
  const end = numbers([END, 4], [0, 4], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2])
  return Uint8Array.from(Buffer.concat([...bodies, directory, end]))
}

/** What both headers of a file say: version, flags, method, time, date, checksum, both sizes, lengths of name and extra. */
const factsOf = (name: Buffer, text: Buffer): Buffer => {
  const sizes = [text.length, 4] as const
  return numbers(
    [NEEDED, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [DATE, 2],
    [crc32(text), 4],
    sizes,
    sizes,
    [name.length, 2],
    [0, 2],
  )
}

/** Writes numbers in little endian, each in so many bytes. */
const numbers = (...list: readonly (readonly [value: number, bytes: number])[]): Buffer =>
  Buffer.concat(
    list.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
