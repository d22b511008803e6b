import { acceptedComponents, type SignatureBaseInputs } from '../signature-base-inputs.ts'
import { type DetectedCause, detectedCause } from '../signature-error-causes.ts'

/**
 * Judges the component list of Signature-Input for the signature lab: how it differs from that of clause 5.2 (D-29).
 */
export const judgeComponents = ({ request, input }: SignatureBaseInputs): readonly DetectedCause[] => {
  const accepted = acceptedComponents(request)
  const listed = input.components
  if (accepted.some(list => list.join() === listed.join())) return []
  const [wanted = []] = accepted
  const missing = wanted.filter(name => !listed.includes(name))
  const extra = listed.filter(name => !wanted.includes(name))
  const values = { missing: quoted(missing), extra: quoted(extra), listed: quoted(listed), expected: quoted(wanted) }
  if (missing.length > 0 && extra.length > 0) return [detectedCause('list-other', values)]
  if (missing.length > 0) return [detectedCause('list-missing', values)]
  if (extra.length > 0) return [detectedCause('list-extra', values)]
  return new Set(listed).size < listed.length ? [] : [detectedCause('list-order', values)]
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(' ')
