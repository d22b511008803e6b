import { type Finding, finding } from './causes.ts'
import { acceptedComponents, type Facts } from './facts.ts'

/** How the list of components differs from the one that clause 5.2 wants (D-29). */
export const componentFinding = ({ request, input }: Facts): readonly Finding[] => {
  const accepted = acceptedComponents(request)
  const listed = input.components
  if (accepted.some(list => list.join() === listed.join())) return []
  const [wanted = []] = accepted
  const missing = wanted.filter(name => !listed.includes(name))
  const extra = listed.filter(name => !wanted.includes(name))
  const values = { missing: quoted(missing), extra: quoted(extra), listed: quoted(listed), expected: quoted(wanted) }
  if (missing.length > 0 && extra.length > 0) return [finding('list-other', values)]
  if (missing.length > 0) return [finding('list-missing', values)]
  if (extra.length > 0) return [finding('list-extra', values)]
  return new Set(listed).size < listed.length ? [] : [finding('list-order', values)]
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(' ')
