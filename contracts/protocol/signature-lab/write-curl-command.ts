/** Quotes a text for a POSIX shell, in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const SET_BY_CURL = [
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'user-agent',
  'transfer-encoding',
  'expect',
]

type Request = {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body?: Uint8Array
}

/** Returns the curl command that sends a request over mutual TLS; a body that is no text comes from body.bin. */
export const curlCommand = ({ method, url, headers, body }: Request): string => {
  const bytes = Buffer.from(body ?? '')
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes) && !bytes.includes(0)
  const lines = [
    `curl --cert certificate.pem --key private-key.pem --cacert ca.pem --request ${method}`,
    ...headers
      .filter(([name]) => !SET_BY_CURL.includes(name.toLowerCase()))
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [isText ? `--data-binary ${quoted(bytes.toString('utf8'))}` : '--data-binary @body.bin']),
    quoted(url),
  ]
  return lines.join(' \\\n  ')
}
