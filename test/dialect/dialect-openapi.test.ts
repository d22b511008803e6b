import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { dialectOpenApi } from '../../contracts/dialect/openapi/dialect-openapi.ts'
import { readDialectLines } from '../../contracts/harness/profile/read-profile.ts'
import { OPERATION_NAMES, operationAddress } from '../../contracts/operations.ts'

const ROOT = join(import.meta.dirname, '../..')
const OWN = parse(readFileSync(join(ROOT, 'contracts/openapi.yaml'), 'utf8'))
const PROFILES = ['snake-case', 'bookkeeping', 'coarse-states']

const linesOf = (name: string) => readDialectLines(join(ROOT, `test/conformance/dialects/${name}.yaml`))

const lintErrors = async (description: object): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'info-license': 'off', // the operator's to choose
      'no-ambiguous-paths': 'off', // OpenAPI lets a path without parameters win
    },
  })
  const problems = await lintFromString({ source: stringify(description, { aliasDuplicateObjects: false }), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

describe.each(['', ...PROFILES])('the OpenAPI document of the dialect "%s"', name => {
  const lines = name === '' ? {} : linesOf(name)
  const description = dialectOpenApi(lines, OWN)

  test('is valid, with its examples', async () => {
    expect(await lintErrors(description)).toEqual([])
  })

  test('has every operation under the address of the dialect', () => {
    const paths = description.paths as Record<string, Record<string, { operationId: string }>>
    for (const operation of OPERATION_NAMES) {
      const { method, path } = operationAddress(operation, lines.paths)
      expect(paths[path.split('?')[0] ?? '']?.[method.toLowerCase()]?.operationId).toBe(operation)
    }
  })
})
