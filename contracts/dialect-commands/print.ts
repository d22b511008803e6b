import { stringify } from 'yaml'
import { dialectOpenApi } from '../dialect/openapi/dialect-openapi.ts'
import { readDialectLines } from '../harness/profile/read-profile.ts'
import { meaningOfChoice } from '../read-decisions-table.ts'
import { type DialectSubcommand, writeResult } from './dialect-subcommand.ts'
import { readOwnDocument } from './read-contract-openapi.ts'

/** Subcommand `assay dialect print`: writes the OpenAPI document of a dialect. */
export const subcommand: DialectSubcommand = {
  usage: 'print FILE [--out FILE]',
  help: 'write the OpenAPI 3.1 document of the dialect of a profile',
  description: `
Writes the OpenAPI 3.1 document of the payment API as the deployment of a profile spells it: paths and methods, names and
places of members, words, forms of values, statuses of success, refusals, headers, constants, and every example.

  assay dialect print ours.yaml --out ours-openapi.yaml`,
  writes: 'any',
  operands: 1,
  execute: async ([file = ''], options) => {
    const description = dialectOpenApi(readDialectLines(file), readOwnDocument(), meaningOfChoice)
    writeResult(stringify(description, { aliasDuplicateObjects: false, lineWidth: 120 }), options)
    return 0
  },
}
