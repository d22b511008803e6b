import type { BaseEdit } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'
import type { CauseId } from './signature-error-causes.ts'

/** One known deviation of clients in building the signature base, in one variant. */
export type Deviation = {
  cause: CauseId
  /** The aspect of the base that it changes; two deviations of one aspect are not combined. */
  aspect: string
  /** Rarity: 1 is common, 3 is rare. */
  weight: number
  edit: BaseEdit
  values: Readonly<Record<string, string>>
}

/** A table row of deviations of a component value: the cause, its rarity, and the variants for a request. */
export type ValueDeviationRow = readonly [
  cause: CauseId,
  weight: number,
  values: (facts: SignatureBaseInputs) => readonly (string | undefined)[],
]
