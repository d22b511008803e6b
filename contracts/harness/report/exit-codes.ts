/** Exit codes of the commands; the numbers are part of the interface. */
// biome-ignore format: a table reads by its columns
export const EXIT_CODES = {
  fine:       0,
  failed:     1,
  usage:      2,
  unmeasured: 3,
  harness:    4,
  incomplete: 5,
  stale:      6,
  safety:     7,
  regression: 8,
  invalid:    9,
  differs:    10,
} as const
