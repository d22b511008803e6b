import { createHash } from 'node:crypto'

/** A number from 0 up to, not including, 1; the same name gets the same number. */
export type Draw = (name: string) => number

/** The draws of one call: by the seed, the organization, the how-manieth of its calls it is, and the name of the draw. */
export const drawFor =
  (seed: string, organizationId: string, count: number): Draw =>
  name =>
    createHash('sha256').update(`${seed}\n${organizationId}\n${count}\n${name}`).digest().readUIntBE(0, 6) / 2 ** 48
