import {
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
  type OperationPaths,
  operationAddress,
} from '../../operations.ts'
import { readRequestMembers } from '../../schema/read-openapi-schemas.ts'
import type { ProfileIssue } from './unknown-member-names.ts'

/** Finds paths with parameters that no call of their operation fills, and those that two operations have by one method. */
export const operationPathIssues = ({ paths = {} }: { paths?: OperationPaths }): ProfileIssue[] => {
  const named = OPERATION_NAMES.filter(name => paths[name] !== undefined)
  return named.flatMap((name, index) => {
    const at = `paths.${name}`
    const { method, path } = operationAddress(name, paths)
    const [address] = path.split('?')
    const first = named.slice(0, index).find(other => addressKey(other, paths) === addressKey(name, paths))
    const isShared = `${at} is ${method} ${address}, where paths.${first} is too: give each its own address`
    const messages = [...parameterFaults(name, path).map(fault => `${at} ${fault}`), ...(first ? [isShared] : [])]
    return messages.map(message => ({ path: ['paths', name], message }))
  })
}

/** By which operations are told apart: the names of parameters and the query do not count. */
const addressKey = (name: OperationName, paths: OperationPaths): string => {
  const { method, path } = operationAddress(name, paths)
  return `${method} ${path.replace(/\?.*/, '').replaceAll(/\{[^{}]*\}/g, '{}')}`
}

const parameterFaults = (name: OperationName, path: string): string[] => {
  const needed = parametersIn(OPERATIONS[name].path)
  const filled = [...needed, ...membersOf(name).map(member => `{${member}}`)]
  const written = parametersIn(path)
  const cure = filled.length === 0 ? 'leave it out' : `write ${anyOf(filled)} instead`
  return [
    ...written.filter(one => !filled.includes(one)).map(one => `has "${one}", which no call of ${name} fills: ${cure}`),
    ...written
      .filter((one, index) => filled.includes(one) && written.indexOf(one) !== index)
      .map(one => `has ${one} twice: leave one out`),
    ...needed
      .filter(one => !written.includes(one))
      .map(one => `lacks ${one}: write it where the id of the payment stands`),
  ]
}

/** The parameters of a path, with their braces; a brace without its other is one that nothing fills. */
const parametersIn = (path: string): string[] => path.match(/\{[^{}]*\}?|\}/g) ?? []

/** The members at the top of a request that are values, which a path may name. */
const membersOf = (name: OperationName): string[] => {
  const { schema } = OPERATIONS[name]
  if (schema === undefined || name === 'token') return []
  const known = readRequestMembers().known(schema)
  return known.filter(member => !member.includes('.') && !known.some(other => other.startsWith(`${member}.`)))
}

const anyOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(part => part !== '').join(' or ')
