import type { CauseId } from './causes.ts'
import type { Edit } from './draft.ts'
import type { Facts } from './facts.ts'

/** One thing that a client may do otherwise when it builds its base, in one of its variants. */
export type Deviation = {
  cause: CauseId
  /** What of the base it changes: two deviations of one aspect exclude each other. */
  aspect: string
  /** 1 is seen every week, 3 hardly ever. */
  weight: number
  edit: Edit
  values: Readonly<Record<string, string>>
}

/** A row of a table of deviations: its variants for one request, as values of the component that it is about. */
export type ValueRow = readonly [
  cause: CauseId,
  weight: number,
  values: (facts: Facts) => readonly (string | undefined)[],
]
