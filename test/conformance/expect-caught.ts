import { expect } from 'vitest'
import { byLot } from '../support/lot.ts'
import type { Saboteur } from './sabotage.ts'
import { SABOTEURS } from './saboteurs.ts'
import { faultsOf, tryOut, witnessesOf } from './trial.ts'

/** A machine that has other things to do may take its time. */
export const LIMIT = 120_000

/** Half of the saboteurs that are tried, so that two files can run side by side. */
export const everyOther = (first: 0 | 1) => byLot(SABOTEURS, 30).filter((_, index) => index % 2 === first)

/** The checks that should catch a saboteur do, and none of their neighbours complains. */
export const expectCaught = async (saboteur: Saboteur): Promise<void> =>
  expect(faultsOf(saboteur, await tryOut(saboteur, witnessesOf(saboteur)))).toEqual([])

/** The same among all checks there are. */
export const expectCaughtAlone = async (saboteur: Saboteur): Promise<void> =>
  expect(faultsOf(saboteur, await tryOut(saboteur))).toEqual([])
