import { closeSync, openSync, readSync } from 'node:fs'

/**
 * Reads a file, pipe or device of at most so many bytes; undefined where it has more, which an endless one has. Throws
 * the error of the file system where it cannot be read.
 */
export const readFileUpTo = (file: string, most: number): Buffer | undefined => {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(most + 1)
    let length = 0
    let read: number
    do {
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
      length += read
    } while (read > 0 && length <= most)
    return length > most ? undefined : bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
