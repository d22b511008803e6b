import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const readYaml = (path: string) => parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/**
 * Returns the text of contracts/openapi-schemas.gen.json: the schemas of openapi.yaml, one in each line. A sandbox that
 * parsed the YAML at its start took 9 MB more memory and 50 ms.
 */
export const openapiSchemasSource = (): string => linesOf(readYaml('../contracts/openapi.yaml').components.schemas)

/**
 * Returns the text of simulator/control/openapi.gen.json: control's description as JSON, one path in each line. Parsing
 * the YAML held the event loop for 120 ms.
 */
export const controlDescriptionSource = (): string => {
  const { paths, ...others } = readYaml('../simulator/control/openapi.yaml')
  return `${JSON.stringify(others).slice(0, -1)},\n"paths": ${linesOf(paths)}}\n`
}

const linesOf = (members: object): string => {
  const lines = Object.entries(members).map(([name, member]) => `"${name}": ${JSON.stringify(member)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
