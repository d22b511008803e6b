import { basename } from 'node:path'
import { parse, stringify } from 'yaml'
import { type DialectFromOpenApi, dialectFromOpenApi } from '../dialect/from-openapi/dialect-from-openapi.ts'
import { DescriptionError } from '../dialect/from-openapi/local-schemas.ts'
import { parseDialectLines } from '../harness/profile/read-profile.ts'
import { readTextFile } from '../harness/report/read-and-write-text-files.ts'
import { UsageError } from '../harness/run/command-errors.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { truncate } from '../schema/describe-schema-error.ts'
import { type DialectSubcommand, writeResult } from './dialect-subcommand.ts'
import { readOwnDocument } from './read-contract-openapi.ts'

/** Longest text of a document, in characters. */
const LONGEST = 4_000_000

/**
 * Subcommand `assay dialect from-openapi`: writes the shape half of a profile from the OpenAPI document of a
 * deployment.
 */
export const subcommand: DialectSubcommand = {
  usage: 'from-openapi FILE [--out FILE]',
  help: 'write the shape half of a profile from the OpenAPI document of a deployment',
  description: `
Reads an OpenAPI 3.0 or 3.1 document, YAML or JSON, and writes the lines of a profile that say how the deployment spells the
payment API: paths, naming, requests, members, forms, fields, enums, success, errors. It goes by names and types. What those
do not make clear is not guessed: it is listed on stderr as "could not place", and stands as comments at the end.

  assay dialect from-openapi their-openapi.yaml --out theirs.yaml`,
  writes: 'new',
  operands: 1,
  execute: async ([file = ''], options) => {
    const { lines, unplaced } = read(file, parsed(file))
    const body = Object.keys(lines).length > 0 ? stringify(lines, { lineWidth: 120 }) : ''
    const rest = unplaced.map(({ place, reason }) => `#   ${oneLine(place)}: ${oneLine(reason)}\n`)
    const comments = rest.length > 0 ? `\n# Could not be placed:\n${rest.join('')}` : ''
    const text = `# How the deployment of ${oneLine(basename(file))} spells the payment API, as far as that document makes it clear.\n${body}${comments}`
    parseDialectLines(file, text)
    writeResult(text, options)
    for (const { place, reason } of unplaced)
      process.stderr.write(`could not place ${oneLine(place)}: ${oneLine(reason)}\n`)
    return 0
  },
}

/** Text of a document without line breaks and control characters, which could end a comment. */
const oneLine = (text: string): string => truncate(visibleText(text.replace(/\s+/g, ' ')), 300)

const parsed = (file: string): unknown => {
  const text = readTextFile(file)
  if (text.length > LONGEST)
    throw new UsageError(`${file} has more than ${LONGEST} characters: name a document of one API only.`)
  try {
    return parse(text, { merge: true, maxAliasCount: 1000, prettyErrors: false })
  } catch (error) {
    throw new UsageError(`${file} is neither YAML nor JSON: ${truncate((error as Error).message, 200)}.`)
  }
}

const read = (file: string, description: unknown): DialectFromOpenApi => {
  try {
    return dialectFromOpenApi(description, readOwnDocument())
  } catch (error) {
    if (error instanceof DescriptionError) throw new UsageError(`${file} cannot be read as OpenAPI. ${error.message}`)
    if (error instanceof RangeError) throw new UsageError(`${file} is nested too deep to be read: flatten its schemas.`)
    throw error
  }
}
