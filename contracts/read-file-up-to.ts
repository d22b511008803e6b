import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 64 * 1024

/**
 * Reads a file, pipe or device of at most so many bytes; undefined where it has more, which an endless one has. Throws
 * the error of the file system where it cannot be read.
 */
export const readFileUpTo = (file: string, most: number): Buffer | undefined => {
  const descriptor = openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    for (let left = most; left >= 0; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const read = readSync(descriptor, chunk)
      if (read === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, read))
      left -= read
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}
