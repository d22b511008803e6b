import { OPERATION_NAMES, type OperationName, type OperationPaths, operationAddress } from '../operations.ts'

/**
 * An operation found by method and path in a dialect, with the parameters of the path and of the query that its line
 * fixes.
 */
export type Address = {
  operation: OperationName
  parameters: Readonly<Record<string, string>>
  /** Names of the query parameters that the line has, where it has any. */
  queryNames?: readonly string[]
}

/**
 * Table that finds operations by the method and the path of a request, and the values that the path's line has for
 * members.
 */
export type AddressTable = { find(method: string, path: string, query?: URLSearchParams): Address | undefined }

type Template = {
  operation: OperationName
  method: string
  pattern: RegExp
  queryNames: readonly string[]
  inQuery: readonly [parameter: string, name: string][]
}

/**
 * Creates the table of addresses of a dialect, with and without its base path. A path without parameters wins over one with; a line
 * of the profile wins over the usual address of another operation.
 */
export const createAddressTable = (paths: OperationPaths = {}, basePath = ''): AddressTable => {
  const fixed = new Map<string, Address>()
  const templates: Template[] = []
  const hasLine = (operation: OperationName) => paths[operation] !== undefined
  const usual = OPERATION_NAMES.filter(operation => !hasLine(operation))
  for (const operation of [...OPERATION_NAMES.filter(hasLine), ...usual]) {
    const { method, path } = operationAddress(operation, paths)
    const key = `${method} ${path}`
    if (/[{?]/.test(path)) templates.push(toTemplate(operation, method, path))
    else if (!fixed.has(key)) fixed.set(key, { operation, parameters: {} })
  }
  const find: AddressTable['find'] = (method, path, query) => {
    const known = fixed.get(`${method} ${path}`)
    if (known) return known
    for (const template of templates) {
      const parameters = template.method === method ? parametersOf(template, path, query) : undefined
      if (parameters) return { operation: template.operation, parameters, queryNames: template.queryNames }
    }
  }
  if (basePath === '') return { find }
  const isBelow = (path: string) => path.startsWith(`${basePath}/`)
  return {
    find: (method, path, query) =>
      find(method, path, query) ?? (isBelow(path) ? find(method, path.slice(basePath.length), query) : undefined),
  }
}

const toTemplate = (operation: OperationName, method: string, written: string): Template => {
  const [path = '', query = ''] = written.split('?')
  const pattern = path
    .split(/(\{\w+\})/)
    .map(part => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+)` : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')))
    .join('')
  const parameters = [...new URLSearchParams(query)]
  const inQuery = parameters.flatMap(([parameter, value]): [string, string][] =>
    /^\{\w+\}$/.test(value) ? [[parameter, value.slice(1, -1)]] : [],
  )
  return {
    operation,
    method,
    pattern: new RegExp(`^${pattern}$`),
    queryNames: parameters.map(([name]) => name),
    inQuery,
  }
}

const parametersOf = ({ pattern, inQuery }: Template, path: string, query?: URLSearchParams) => {
  const groups = pattern.exec(path)
  if (!groups) return undefined
  const inPath = Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decoded(value)])
  const rest = inQuery.flatMap(([parameter, name]) =>
    query?.has(parameter) ? [[name, query.get(parameter) ?? '']] : [],
  )
  return Object.fromEntries([...inPath, ...rest])
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
