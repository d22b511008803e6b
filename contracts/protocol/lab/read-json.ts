import { assembled } from './read-http.ts'
import type { LabRequest } from './request.ts'

type Members = Readonly<Record<string, unknown>>

/** Reads a call of the journal, an entry of a HAR file, or any object with method, address and headers. */
export const readJson = (value: unknown): LabRequest | undefined => {
  const entry = chosenFrom(value)
  const request = isObject(entry?.request) ? entry.request : entry
  if (!request || typeof request.method !== 'string') return undefined
  const address = textOf(request.target) ?? textOf(request.url) ?? textOf(request.path)
  if (address === undefined) return undefined
  const sentAt = Date.parse(textOf(entry?.at) ?? textOf(entry?.startedDateTime) ?? '')
  return assembled(request.method, address, headersOf(request.headers), bodyOf(request), sentAt)
}

/** One call of a list: the first that was refused for its signature, else the first that is signed. */
const chosenFrom = (value: unknown): Members | undefined => {
  if (!isObject(value)) return Array.isArray(value) ? chosenFrom({ calls: value }) : undefined
  const log = isObject(value.log) ? value.log.entries : value.calls
  if (!Array.isArray(log)) return value
  const entries = log.filter(isObject)
  const isRefused = ({ refused }: Members) => isObject(refused) && refused.layer === 'signature'
  const isSigned = (entry: Members) => /signature-input/i.test(JSON.stringify(entry.request ?? ''))
  return entries.find(isRefused) ?? entries.find(isSigned) ?? entries[0]
}

/** Headers as an object, or as a list of names and values. */
const headersOf = (headers: unknown): readonly (readonly [string, string])[] => {
  if (Array.isArray(headers))
    return headers.flatMap(header => {
      const [name, value] = Array.isArray(header) ? header : isObject(header) ? [header.name, header.value] : []
      if (typeof name !== 'string') return []
      return name.startsWith(':')
        ? name === ':authority'
          ? [['Host', String(value)] as const]
          : []
        : [[name, String(value)] as const]
    })
  if (!isObject(headers)) return []
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(one => [name, String(one)] as const),
  )
}

const bodyOf = ({ body, bodyBase64, postData }: Members): Buffer => {
  if (typeof bodyBase64 === 'string') return Buffer.from(bodyBase64, 'base64')
  if (isObject(postData))
    return Buffer.from(textOf(postData.text) ?? '', postData.encoding === 'base64' ? 'base64' : 'utf8')
  if (body === undefined || body === null) return Buffer.alloc(0)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
