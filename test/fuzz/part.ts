import type fc from 'fast-check'
import type { House } from './house.ts'

/** What a judge finds wrong with what came of an input: one line; undefined where nothing is. */
export type Judge<Input> = (input: Input) => string | undefined | Promise<string | undefined>

/** One thing that takes what strangers send: what is sent to it, and what must hold whatever it is. */
export type Part<Input = unknown> = {
  name: string
  /** What is sent, in a few words. */
  sends: string
  /** Inputs are JSON, so that a find can be kept as a file. */
  inputs: fc.Arbitrary<Input>
  /** The files that this is about: how much of them ran is told. */
  covers: readonly string[]
  /** Seconds of the processor that one input may take, however the machine is loaded. */
  atMost?: number
  /** The members whose texts a guided run may change, '' for the input itself; for what needs no sandbox to be asked. */
  guided?: readonly string[]
  /** So many inputs in a usual run of the tests. */
  few: number
  open(house: House): Promise<Judge<Input>>
}

/** Keeps the type of a part's inputs between its arbitrary and its judge, and forgets it for the table. */
export const part = <Input>(whole: Part<Input>): Part => whole as unknown as Part
