import { packageVersion } from '../../contracts/package-version.ts'
import { toJsonArray } from '../support/json-array-in-parts.ts'
import type { JournalEntry } from './journal-entry.ts'

type NameAndValue = { name: string; value: string }

const pairs = (headers: Readonly<Record<string, string>>): NameAndValue[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/**
 * Generates the text of calls of the journal as an HTTP Archive (HAR 1.2), oldest first, as browsers and proxies read
 * it; secrets stay masked.
 */
export async function* writeHar(oldestFirst: AsyncIterable<JournalEntry>): AsyncGenerator<string> {
  const creator = JSON.stringify({ name: 'Assay', version: packageVersion() })
  yield `{"log":{"version":"1.2","creator":${creator},"entries":`
  yield* toJsonArray(oldestFirst, entryOf)
  yield '}}'
}

const entryOf = ({ callId, at, durationMilliseconds, request, response, refused }: JournalEntry) => {
  const url = URL.parse(request.target, `https://${request.headers.host ?? 'localhost'}`)
  return {
    startedDateTime: new Date(Date.parse(at) - durationMilliseconds).toISOString(),
    time: durationMilliseconds,
    request: {
      method: request.method,
      url: url?.href ?? request.target,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: Array.from(url?.searchParams ?? [], ([name, value]) => ({ name, value })),
      ...(request.body === ''
        ? {}
        : { postData: { mimeType: request.headers['content-type'] ?? '', text: request.body } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body),
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: Buffer.byteLength(response.body),
        mimeType: response.headers['content-type'] ?? '',
        text: response.body,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(response.body),
    },
    cache: {},
    timings: { send: 0, wait: durationMilliseconds, receive: 0 },
    comment: refused === undefined ? callId : `${callId}: refused by the layer ${refused.layer}. ${refused.reason}`,
  }
}
