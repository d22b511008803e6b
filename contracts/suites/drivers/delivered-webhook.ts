/**
 * A webhook as it was delivered: path and query, headers in lower case, the exact body; the secret and the time at which
 * it came (ISO 8601) where they are known.
 */
export type Webhook = {
  target: string
  headers: Readonly<Record<string, string>>
  body: string
  secret?: string
  receivedAt?: string
}
