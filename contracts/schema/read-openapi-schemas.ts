import { readFileSync } from 'node:fs'
import { createRequestMembers, type RequestMembers } from './known-and-unknown-request-members.ts'

let members: RequestMembers | undefined

/** Reads the schemas of openapi.yaml, by their names, from the file that is generated of them. */
export const readOpenapiSchemas = () =>
  JSON.parse(readFileSync(new URL('../openapi-schemas.gen.json', import.meta.url), 'utf8'))

/** Returns the lists of request members by the schemas of openapi.yaml, which are read once. */
export const readRequestMembers = (): RequestMembers => {
  members ??= createRequestMembers(readOpenapiSchemas())
  return members
}
