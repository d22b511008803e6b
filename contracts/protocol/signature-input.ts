import { isInnerList, serializeInnerList } from 'structured-headers'
import { readDictionary, UnreadableField } from './structured-field.ts'

/** The only label that the dialect of clause 5.2 knows, for requests and answers alike. */
export const SIGNATURE_LABEL = 'service_sig'

export type SignatureInput = {
  components: readonly string[]
  keyId: string
  /** UNIX time in seconds, UTC. */
  created: number
  alg?: string
  /** UNIX time in seconds, UTC, where the client set one. */
  expires?: number
  /** Inner list and parameters, serialised as RFC 9421 does: the text after `"@signature-params": `. */
  parameters: string
}

/** Parameters in the order of the document, or the other way round, as some libraries write them. */
export const ORDERS = ['keyid-created', 'created-keyid'] as const
export type Order = (typeof ORDERS)[number]

/** Writes the value of `Signature-Input` without its label: `("a" "b");keyid="…";created=…`. */
export const writeParameters = (
  components: readonly string[],
  keyId: string,
  created: number,
  order: Order = 'keyid-created',
): string => {
  const list = components.length === 0 ? '()' : `("${components.join('" "')}")`
  const named = `keyid="${keyId.replace(/[\\"]/g, '\\$&')}"`
  return order === 'created-keyid' ? `${list};created=${created};${named}` : `${list};${named};created=${created}`
}

/** A client sends the same text for all of a second: so many texts are known again. */
const MOST_KNOWN = 100
const known = new Map<string, SignatureInput>()

/** Reads `Signature-Input` as clause 5.2 shapes it; throws UnreadableField with the first fault. */
export const readSignatureInput = (header: string): SignatureInput => {
  const input = known.get(header) ?? parseSignatureInput(header)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(header, input)
  return input
}

const parseSignatureInput = (header: string): SignatureInput => {
  const member = readDictionary('Signature-Input', header).get(SIGNATURE_LABEL)
  if (!member) throw new UnreadableField(`Signature-Input has no label ${SIGNATURE_LABEL}`)
  if (!isInnerList(member)) throw new UnreadableField(`${SIGNATURE_LABEL} is not a list of components in parentheses`)
  const [items, parameters] = member
  const components = items.map(([name, itemParameters]) => componentName(name, itemParameters.size))
  const twice = components.find((name, index) => components.indexOf(name) !== index)
  if (twice) throw new UnreadableField(`the component list names "${told(twice)}" twice`)
  const read: SignatureInput = {
    components,
    keyId: textParameter(parameters, 'keyid'),
    created: secondsParameter(parameters, 'created'),
    parameters: serializeInnerList(member),
  }
  if (/;\s*created=\d+\./.test(header)) throw new UnreadableField('the signature parameter created has no decimals')
  if (parameters.has('alg')) read.alg = textParameter(parameters, 'alg')
  if (parameters.has('expires')) read.expires = secondsParameter(parameters, 'expires')
  return read
}

/** A name that a stranger wrote, as far as a sentence can bear it. */
export const told = (name: string): string => name.slice(0, 60)

const componentName = (name: unknown, parameterCount: number): string => {
  if (typeof name !== 'string') throw new UnreadableField('every component of the list is a name in double quotes')
  if (name === '@signature-params') throw new UnreadableField('"@signature-params" never stands inside its own list')
  if (name !== name.toLowerCase()) throw new UnreadableField(`component names are lowercase, not "${told(name)}"`)
  if (parameterCount > 0)
    throw new UnreadableField(`component "${told(name)}" carries a parameter, which this dialect does not use`)
  return name
}

const textParameter = (parameters: Map<string, unknown>, name: string): string => {
  const value = parameters.get(name)
  if (typeof value !== 'string' || value === '')
    throw new UnreadableField(`the signature parameter ${name} is missing or not a text in double quotes`)
  return value
}

const secondsParameter = (parameters: Map<string, unknown>, name: string): number => {
  const value = parameters.get(name)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new UnreadableField(`the signature parameter ${name} is missing or not a whole number of seconds`)
  return value
}
