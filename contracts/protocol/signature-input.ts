import { isInnerList, serializeInnerList } from 'structured-headers'
import { readDictionary, UnreadableField } from './structured-field.ts'

/** The signature label of clause 5.2, for requests and responses. */
export const SIGNATURE_LABEL = 'service_sig'

/** The parsed value of a Signature-Input header. */
export type SignatureInput = {
  /** The label under which the signature stands. */
  label: string
  components: readonly string[]
  keyId: string
  /** UNIX time in seconds, UTC. */
  created: number
  alg?: string
  /** UNIX time in seconds, UTC. */
  expires?: number
  /** Inner list and parameters serialised by RFC 9421: the text after `"@signature-params": `. */
  parameters: string
}

/** Orders of the parameters keyid and created: that of the document, and the reverse, as some libraries write it. */
export const PARAMETER_ORDERS = ['keyid-created', 'created-keyid'] as const
export type ParameterOrder = (typeof PARAMETER_ORDERS)[number]

/** Writes the value of `Signature-Input` without its label: `("a" "b");keyid="…";created=…`. */
export const writeParameters = (
  components: readonly string[],
  keyId: string,
  created: number | string,
  order: ParameterOrder = 'keyid-created',
): string => {
  const list = components.length === 0 ? '()' : `("${components.join('" "')}")`
  const named = `keyid="${keyId.replace(/[\\"]/g, '\\$&')}"`
  return order === 'created-keyid' ? `${list};created=${created};${named}` : `${list};${named};created=${created}`
}

/** Whether serialised parameters have keyid and created in the wanted order; any will do where none is wanted. */
export const areInOrder = (parameters: string, order: ParameterOrder | undefined): boolean => {
  const [first, second] = order?.split('-') ?? []
  return !order || parameters.indexOf(`;${first}=`) < parameters.indexOf(`;${second}=`)
}

/** The size of the cache of parsed headers: a client repeats a header within the same second. */
const PARSED_CACHE_SIZE = 100
const parsedHeaders = new Map<string, SignatureInput>()

/** Parses a Signature-Input header by clause 5.2; throws UnreadableField with the first error. */
export const readSignatureInput = (header: string, label: string = SIGNATURE_LABEL): SignatureInput => {
  const key = label === SIGNATURE_LABEL ? header : `${label} ${header}`
  const input = parsedHeaders.get(key) ?? parseSignatureInput(header, label)
  if (parsedHeaders.size >= PARSED_CACHE_SIZE) parsedHeaders.clear()
  parsedHeaders.set(key, input)
  return input
}

const parseSignatureInput = (header: string, label: string): SignatureInput => {
  const member = readDictionary('Signature-Input', header).get(label)
  if (!member) throw new UnreadableField(`Signature-Input has no label ${label}`)
  if (!isInnerList(member)) throw new UnreadableField(`${label} is not a list of components in parentheses`)
  const [items, parameters] = member
  const components = items.map(([name, itemParameters]) => componentName(name, itemParameters.size))
  const twice = components.find((name, index) => components.indexOf(name) !== index)
  if (twice) throw new UnreadableField(`the component list names "${truncateName(twice)}" twice`)
  const read: SignatureInput = {
    label,
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

/** Truncates a name of unknown origin to 60 characters, for an error message. */
export const truncateName = (name: string): string => name.slice(0, 60)

const componentName = (name: unknown, parameterCount: number): string => {
  if (typeof name !== 'string') throw new UnreadableField('every component of the list is a name in double quotes')
  if (name === '@signature-params') throw new UnreadableField('"@signature-params" never stands inside its own list')
  if (name !== name.toLowerCase())
    throw new UnreadableField(`component names are lowercase, not "${truncateName(name)}"`)
  if (parameterCount > 0)
    throw new UnreadableField(`component "${truncateName(name)}" carries a parameter, which this dialect does not use`)
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
