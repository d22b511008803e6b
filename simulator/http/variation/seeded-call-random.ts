import { createHash } from 'node:crypto'

/**
 * A function that returns a pseudo-random number from 0 (inclusive) to 1 (exclusive) for a call's variation, always the
 * same for a name.
 */
export type SeededCallRandom = (name: string) => number

/** Creates the source of one call's pseudo-random numbers, from seed, organization and its count of calls. */
export const createSeededCallRandom =
  (seed: string, organizationId: string, count: number): SeededCallRandom =>
  name =>
    createHash('sha256').update(`${seed}\n${organizationId}\n${count}\n${name}`).digest().readUIntBE(0, 6) / 2 ** 48
