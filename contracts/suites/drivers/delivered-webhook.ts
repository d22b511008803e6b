/** A webhook as it was delivered: path and query, headers in lower case, the exact body, the secret where it is known. */
export type Webhook = { target: string; headers: Readonly<Record<string, string>>; body: string; secret?: string }
