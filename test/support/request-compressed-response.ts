import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

type BrowserResponse = { encoding: string | undefined; vary: string | undefined; bytes: Buffer }

/**
 * Requests a URL with the encodings that a browser accepts. The bytes are those on the wire, as they are compressed;
 * none of a stream, which does not end.
 */
export const readAsBrowser = (url: string): Promise<BrowserResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } }, async response =>
      resolve({
        encoding: response.headers['content-encoding'],
        vary: response.headers.vary,
        bytes: url.endsWith('/stream') ? Buffer.alloc(0) : await buffer(response),
      }),
    )
    sent.on('error', reject).end()
  })
