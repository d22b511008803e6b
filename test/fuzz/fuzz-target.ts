import type fc from 'fast-check'
import type { FuzzFixture } from './fuzz-fixture.ts'

/** Test oracle of a fuzz target: runs an input and returns the problem in one line, or undefined. */
export type Oracle<Input> = (input: Input) => string | undefined | Promise<string | undefined>

/** A fuzz target: code that handles untrusted input, its arbitrary inputs, and what must always hold. */
export type FuzzTarget<Input = unknown> = {
  name: string
  /** The input in a few words. */
  sends: string
  /** Arbitrary inputs; JSON values, so that a failing one can be saved to the corpus. */
  inputs: fc.Arbitrary<Input>
  /** Source files of the target, for coverage. */
  covers: readonly string[]
  /** Members whose texts a coverage-guided run edits, '' for the input itself; only for targets without a sandbox. */
  guided?: readonly string[]
  /** Number of inputs in a test run. */
  few: number
  open(fixture: FuzzFixture): Promise<Oracle<Input>>
}

/** Defines a fuzz target with typed inputs and erases the type for the table of targets. */
export const fuzzTarget = <Input>(whole: FuzzTarget<Input>): FuzzTarget => whole as unknown as FuzzTarget
