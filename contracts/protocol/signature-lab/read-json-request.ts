import { isJsonObject, type JsonObject } from '../canonical-json.ts'
import type { LabRequest } from './lab-request.ts'
import { toLabRequest } from './read-http-request.ts'

/** Reads a lab request from JSON: a journal call, a HAR entry, or any object with method, URL and headers. */
export const readJson = (value: unknown): LabRequest | undefined => {
  const entry = chosenFrom(value)
  const request = isJsonObject(entry?.request) ? entry.request : entry
  if (!request || typeof request.method !== 'string') return undefined
  const address = textOf(request.target) ?? textOf(request.url) ?? textOf(request.path)
  if (address === undefined) return undefined
  const sentAt = Date.parse(textOf(entry?.at) ?? textOf(entry?.startedDateTime) ?? '')
  return toLabRequest(request.method, address, headersOf(request.headers), bodyOf(request), sentAt)
}

/** Picks one request from a HAR file or a journal: the first refused for its signature, else signed, else the first. */
const chosenFrom = (value: unknown): JsonObject | undefined => {
  if (!isJsonObject(value)) return Array.isArray(value) ? chosenFrom({ calls: value }) : undefined
  const log = isJsonObject(value.log) ? value.log.entries : value.calls
  if (!Array.isArray(log)) return value
  const entries = log.filter(isJsonObject)
  const isRefused = ({ refused }: JsonObject) => isJsonObject(refused) && refused.layer === 'signature'
  const isSigned = (entry: JsonObject) => /signature-input/i.test(JSON.stringify(entry.request ?? ''))
  return entries.find(isRefused) ?? entries.find(isSigned) ?? entries[0]
}

/** Reads headers given as an object or as a list of names and values. */
const headersOf = (headers: unknown): readonly (readonly [string, string])[] => {
  if (Array.isArray(headers))
    return headers.flatMap(header => {
      const [name, value] = Array.isArray(header) ? header : isJsonObject(header) ? [header.name, header.value] : []
      if (typeof name !== 'string') return []
      return name.startsWith(':')
        ? name === ':authority'
          ? [['Host', String(value)] as const]
          : []
        : [[name, String(value)] as const]
    })
  if (!isJsonObject(headers)) return []
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(one => [name, String(one)] as const),
  )
}

const bodyOf = ({ body, bodyBase64, postData }: JsonObject): Buffer => {
  if (typeof bodyBase64 === 'string') return Buffer.from(bodyBase64, 'base64')
  if (isJsonObject(postData))
    return Buffer.from(textOf(postData.text) ?? '', postData.encoding === 'base64' ? 'base64' : 'utf8')
  if (body === undefined || body === null) return Buffer.alloc(0)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
