import { DECLINES } from '../contracts/protocol/declines.ts'
import { PROVIDER_CODES } from '../contracts/protocol/provider-codes.ts'
import { FAMILIES, REFUSALS } from '../contracts/protocol/reason-codes.ts'
import { code, table } from './table.ts'

/** Whether to try again, by HTTP status (7.1, 7.4). */
const ADVICE: Readonly<Record<(typeof REFUSALS)[keyof typeof REFUSALS]['http'], string>> = {
  400: 'No: mend the request',
  401: 'No: fetch a token, or sign anew',
  403: 'No',
  404: 'No',
  409: 'No: the first call under the key counts',
  413: 'No: send less',
  422: 'No: read the status',
  423: 'Yes, once or twice, shortly after',
  429: 'Yes, after `Retry-After`',
  500: 'Yes, later, with the same key',
  501: 'No: ask for something else',
  502: 'Yes, later, with the same key',
  504: 'Yes, with the same key; then read the status',
}

/** docs/errors.md: everything that can go wrong (7). */
export const errorsPage = (): string => `# Errors

Two things can stand in the way of a payment. A **refusal** is an HTTP error: the call could not be served. A **decline**
is an answer: the call was served with 200, and the provider or the shopper said no. Both carry \`status: DECLINED\` and
\`statusInfo {reasonCode, message}\`; a refusal also has the \`callId\` under which the journal explains it.

## Refusals

${table(
  ['HTTP', 'reasonCode', 'Meaning', 'Try again?', 'Kept under the key'],
  Object.values(REFUSALS).map(({ http, reasonCode, meaning, remembered }) => [
    String(http),
    code(reasonCode),
    meaning,
    ADVICE[http],
    remembered ? 'yes' : '',
  ]),
)}

## Families

The first digit of a reasonCode tells its kind; \`-1\` means that there is no problem.

${table(
  ['Family', 'Kind'],
  Object.entries(FAMILIES).map(([digit, kind]) => [`${digit}xxx`, kind]),
)}

## Codes of the providers

What a provider says comes as a decline: its own code in \`providerDetails.providerStatusInfo\`, ours in \`statusInfo\`.

${table(
  ['Provider', 'Code', 'reasonCode', 'Meaning'],
  PROVIDER_CODES.map(row => [row.provider, code(row.code), code(row.reasonCode), row.meaning]),
)}

## Declines that have no code

Banks say no for reasons that 7.5 has no code for. [Scenarios](scenarios.md) name them so, and the codes are ours:

${table(
  ['decline', 'reasonCode', 'message'],
  Object.entries(DECLINES).map(([name, { reasonCode, message }]) => [code(name), code(reasonCode), message]),
)}

Every one of them can be had on request: [faults](faults.md) tells how.
`
