import type { Profile } from '../../../contracts/harness/profile/profile.ts'
import type { Config } from '../../../simulator/options/options.ts'
import type { SimulatorParts } from '../../../simulator/startup/startup-context.ts'

/** Count of the times that mutated code ran: a mutant whose mutation never runs shows nothing. */
export type MutationCount = { count: number }

/**
 * A function that makes the simulator parts which replace the good ones in a mutant; counts in `hits` each time the
 * mutated code runs.
 */
export type Mutation = (
  dataDir: string,
  hits: MutationCount,
) => Partial<SimulatorParts> | Promise<Partial<SimulatorParts>>

/** A mutant: the simulator with one deliberate defect, and the checks that must fail for it; no other check may fail. */
export type Mutant = {
  does: string
  caughtBy: readonly string[]
  config?: Partial<Config>
  mutation?: Mutation
  /** A mutation that cannot count how often it runs. */
  uncounted?: Mutation
  /** Tier of the run that catches it; default: the profile's tier. */
  tier?: string
  /** Checks whose calls are needed where the checks in `caughtBy` judge calls of other checks. */
  through?: readonly string[]
  /** It breaks calls that other checks depend on: those may be blocked. */
  stopsOthers?: true
  /** Checks to run it against; default: all. */
  only?: readonly string[]
  /** Changes to the shipped profile. */
  profile?: (profile: Profile) => Profile
}

/** Creates a mutant of a cell of the grids, tried against the grids alone. */
export const gridMutant = (
  does: string,
  caughtBy: readonly string[],
  mutation: Mutation,
  more: Partial<Mutant> = {},
): Mutant => ({ does, caughtBy, only: ['GRD'], mutation, ...more })
