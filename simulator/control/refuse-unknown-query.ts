import type { MiddlewareHandler } from 'hono'
import { ControlError } from '../support/control-error.ts'

type Described = { name: string; in: string }
type Reference = { $ref: string }
type Parameters = { parameters?: readonly (Described | Reference)[] }
type PathItem = Parameters & { get?: Parameters }
type Description = {
  paths: Readonly<Record<string, PathItem>>
  components: { parameters: Readonly<Record<string, Described>> }
}

/**
 * Creates the middleware that refuses a query parameter which a list of control does not have: a misspelled filter would
 * find everything. Calls without any query parameter in the description are not looked at.
 */
export const refuseUnknownQuery = (describe: () => Description): MiddlewareHandler => {
  let lists: readonly { path: RegExp; names: readonly string[] }[] | undefined
  return async (c, next) => {
    const given = c.req.method === 'GET' ? Object.keys(c.req.query()) : []
    if (given.length > 0) {
      lists ??= listsOf(describe())
      refuseUnknown(given, lists.find(({ path }) => path.test(c.req.path))?.names ?? given)
    }
    await next()
  }
}

const refuseUnknown = (given: readonly string[], names: readonly string[]): void => {
  const unknown = given.find(name => !names.includes(name))
  if (unknown === undefined) return
  const sentence = `The query has the unknown parameter ${unknown.slice(0, 40)}: give ${names.join(', ')}.`
  throw new ControlError('invalid', sentence)
}

/** The paths whose GET has query parameters, with their names. */
const listsOf = ({ paths, components }: Description) =>
  Object.entries(paths).flatMap(([path, item]) => {
    const parameters = [...(item.parameters ?? []), ...(item.get?.parameters ?? [])].map(one =>
      '$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one,
    )
    const names = parameters.flatMap(one => (one?.in === 'query' ? [one.name] : []))
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return names.length === 0 ? [] : [{ path: pattern, names }]
  })
