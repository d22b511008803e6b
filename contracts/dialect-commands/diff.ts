import { compareDialects, type DialectDifference } from '../dialect/compare/compare-dialects.ts'
import { readDialectLines } from '../harness/profile/read-profile.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { meaningOfChoice } from '../read-decisions-table.ts'
import type { DialectSubcommand } from './dialect-subcommand.ts'
import { readOwnDocument } from './read-contract-openapi.ts'

const EXIT = { same: 0, differ: 1 } as const

/** Subcommand `assay dialect diff`: lists what a merchant's code must change to go from one dialect to another. */
export const subcommand: DialectSubcommand = {
  usage: 'diff A B',
  help: 'list what a merchant must change to go from one dialect to another',
  description: `
Lists what a merchant's code must change to go from the deployment of profile A to that of profile B: addresses, members,
constants, words, forms, statuses, refusals, headers, signatures, the key set, limits, and what each does where the document is silent.
Exit code 0 if the two dialects are the same, 1 if they differ.

  assay dialect diff sandbox.yaml production.yaml`,
  writes: false,
  operands: 2,
  execute: async ([a = '', b = '']) => {
    const [from, to] = [readDialectLines(a), readDialectLines(b)]
    const differences = compareDialects(from, to, readOwnDocument(), meaningOfChoice)
    process.stdout.write(
      differences.length === 0 ? 'The two dialects are the same.\n' : visibleText(textOf(differences)),
    )
    return differences.length === 0 ? EXIT.same : EXIT.differ
  },
}

const textOf = (differences: readonly DialectDifference[]): string =>
  differences
    .map(({ topic, sentences }) => `${topic} (${sentences.length})\n${sentences.map(text => `  ${text}\n`).join('')}`)
    .join('\n')
