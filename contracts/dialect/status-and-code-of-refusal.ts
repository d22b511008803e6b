import { REFUSALS, type RefusalName } from '../protocol/reason-codes.ts'
import type { DecisionChoices, SwitchedDecision } from './decision-choices.ts'

/** HTTP status (7.1) and reasonCode (7.3) of a refusal. */
type RefusalRow = { http: number; reasonCode: string }

/** Refusals that a choice changes, by decision, value and refusal. */
type RefusalChoices = {
  readonly [Number in SwitchedDecision]?: {
    readonly [Value in DecisionChoices[Number]]?: Readonly<Partial<Record<RefusalName, Partial<RefusalRow>>>>
  }
}

/** Every choice that changes nothing but the status or the reasonCode of refusals. */
// biome-ignore format: a table reads by its columns
const REFUSAL_CHOICES: RefusalChoices = {
  'D-09': { '422': { OPERATION_UNSUPPORTED: { http: 422 } } },
  'D-10': { '5000': { PAYMENT_NOT_FOUND: { reasonCode: '5000' } } },
  'D-11': { '401': { DIGEST_MISSING: { http: 401 } } },
  'D-12': { '401': { CERTIFICATE_REFUSED: { http: 401 } }, '403': { CERTIFICATE_REFUSED: { http: 403 } } },
  'D-14': { '405': { METHOD_NOT_FOUND: { http: 405 } },
            '404-4001': { METHOD_NOT_FOUND: { reasonCode: '4001' }, ENDPOINT_NOT_FOUND: { reasonCode: '4001' } } },
  'D-16': { '415': { MEDIA_TYPE_REFUSED: { http: 415 } } },
  'D-18': { '428': { KEY_MISSING: { http: 428 } } },
}

/** Returns the HTTP status and reasonCode of a refusal under a profile's decisions (7.1, 7.3). */
export const refusalRow = (name: RefusalName, choices: DecisionChoices): RefusalRow => {
  const { http, reasonCode } = REFUSALS[name]
  const changes = Object.entries(REFUSAL_CHOICES).map(([number, values]) => {
    const value = choices[number as SwitchedDecision] as string
    return (values as Readonly<Record<string, Partial<Record<RefusalName, Partial<RefusalRow>>>>>)[value]?.[name]
  })
  return Object.assign({ http, reasonCode }, ...changes)
}
