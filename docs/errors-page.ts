import { DECLINES } from '../contracts/protocol/decline-reasons.ts'
import { PROVIDER_CODES } from '../contracts/protocol/provider-codes.ts'
import { isTemporaryDecline, REASON_CODE_FAMILIES, REFUSALS } from '../contracts/protocol/reason-codes.ts'
import { code, table } from './markdown.ts'

/** Advice to a merchant on whether to retry a refused call, by HTTP status (7.1, 7.4). */
const ADVICE: Readonly<Record<(typeof REFUSALS)[keyof typeof REFUSALS]['http'], string>> = {
  400: 'No: correct the request',
  401: 'No: get a new token, or sign again',
  403: 'No',
  404: 'No',
  409: 'No: the first call under the key counts',
  413: 'No: send less',
  422: 'No: read the status',
  423: 'Yes, once or twice, shortly after',
  429: 'Yes, after `Retry-After`',
  500: 'Yes, later, with the same key',
  501: 'No: use another operation or method',
  502: 'Yes, later, with the same key',
  504: 'Yes, with the same key; then read the status',
}

/** The reasonCode of a shopper whose time is over, which 7.3 lets the merchant retry, and 7.4.1 not by the same call. */
const SESSION_EXPIRED = '2000'

/** Advice to a merchant on whether to retry a declined call (7.3, 7.4, D-117). */
const retryOfDecline = (reasonCode: string): string => {
  if (isTemporaryDecline(reasonCode)) return 'Yes, later, with the same key'
  return reasonCode === SESSION_EXPIRED ? 'By a new payment, if the shopper wants to' : 'No'
}

/** Returns the text of docs/errors.md: refusals, reason codes, provider codes and declines (7). */
export const errorsPage = (): string => `# Errors

A call can fail in two ways. A **refusal** is an HTTP error: the call could not be served. A **decline** is a regular
response: the call was served with 200, and the provider or the shopper declined. Both have \`status: DECLINED\` and
\`statusInfo {reasonCode, message}\`; a refusal also has the \`callId\` of its entry in the journal, which explains it.

## Refusals

${table(
  ['HTTP', 'reasonCode', 'Meaning', 'Retry?', 'Stored under the key'],
  Object.values(REFUSALS).map(({ http, reasonCode, meaning, remembered }) => [
    String(http),
    code(reasonCode),
    meaning,
    ADVICE[http],
    remembered ? 'yes' : '',
  ]),
)}

## Temporary declines

The response to a call is stored under its key, and a decline is replayed for 24 hours like any other response. A decline with
8xxx or 9xxx is not, except 8003: the provider has not decided, so the same call under the same key is carried out anew (7.4,
D-117). Another payload under that key is 409/3002, as it is after a 500, 502 or 504 (I4). Wait a while before the retry, and
longer before the next. What you find then:

- after initiate and charge: the declined payment is over, and the retry makes another, with another \`transactionId\`;
- after finalize: the payment is as it was before, until its consent expires (D-118);
- after capture, cancel and refund: the payment is unchanged; the declined capture or refund stays listed.

A deployment may replay these declines too (\`D-117: replayed\` in a profile): then only a new key asks the provider again.

## Families

The first digit of a reasonCode is its family; \`-1\` means that there is no problem.

${table(
  ['Family', 'Kind'],
  Object.entries(REASON_CODE_FAMILIES).map(([digit, kind]) => [`${digit}xxx`, kind]),
)}

## Codes of the providers

A provider's error becomes a decline: the provider's code is in \`providerDetails.providerStatusInfo\`, ours in \`statusInfo\`.

${table(
  ['Provider', 'Code', 'reasonCode', 'Meaning', 'Retry?'],
  PROVIDER_CODES.map(row => [
    row.provider,
    code(row.code),
    code(row.reasonCode),
    row.meaning,
    retryOfDecline(row.reasonCode),
  ]),
)}

## Declines that have no code

Banks decline for reasons that have no code in 7.5. [Scenarios](scenarios.md) use these names, and the codes are ours:

${table(
  ['decline', 'reasonCode', 'message', 'Retry?'],
  Object.entries(DECLINES).map(([name, { reasonCode, message }]) => [
    code(name),
    code(reasonCode),
    message,
    retryOfDecline(reasonCode),
  ]),
)}

A scenario's \`decline\` and the shopper's \`cause\` over control bring each of them about; the codes of the providers can be
injected as [faults](faults.md).
`
