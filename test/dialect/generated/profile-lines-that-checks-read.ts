import type { DialectLines, MessageName } from '../../../contracts/dialect/dialect-lines.ts'
import { escapeSegment } from '../../../contracts/dialect/json-pointer.ts'
import { type MemberPlaces, placeOf } from '../../../contracts/dialect/member-places.ts'
import { createRequestLens } from '../../../contracts/dialect/request-lens.ts'
import { createResponseLens, FIELD_MEMBERS } from '../../../contracts/dialect/response-lens.ts'
import { hasCoarseStates } from '../../../contracts/dialect/state-words.ts'

/** Names that `fields` has for members, by message. */
const FIELDS: Readonly<Partial<Record<MessageName, readonly string[]>>> = {
  initiate: [
    'transactionId',
    'redirectUrl',
    'reasonCode',
    'status',
    'providerTransactionId',
    'registeredAt',
    'expiresAt',
  ],
  finalize: ['paymentToken'],
  charge: ['transactionId'],
  status: ['state', 'reasonCode'],
  events: ['transactionId', 'status', 'reasonCode', 'state', 'captured', 'refunded'],
  webhook: ['transactionId', 'status', 'reasonCode'],
}

/**
 * Returns the profile lines `fields`, `mocks` and `errors` of a generated dialect, which tell the checks of certify
 * where its messages hold what they read and write.
 */
export const linesOfChecks = (lines: DialectLines): Pick<DialectLines, 'fields' | 'mocks' | 'errors'> => {
  const { placesOf } = createResponseLens(lines)
  const of = (message: MessageName): Record<string, string> =>
    Object.fromEntries(
      (FIELDS[message] ?? []).map(name => [name, pointerTo(placesOf(message), FIELD_MEMBERS[name] ?? name)]),
    )
  const listIn = (message: MessageName, list: string, member: string) => ({
    list: pointerTo(placesOf(message), list),
    [member]: pointerTo(placesOf(message).itemsOf(list), member),
  })
  const mocks = createRequestLens(lines).placesOf('mockSet')
  const [initiate, sums] = [of('initiate'), { captured: '/sums/taken', refunded: '/sums/back' }]
  return {
    fields: {
      ...{ initiate, finalize: of('finalize'), charge: of('charge'), webhook: of('webhook') },
      status: { ...of('status'), ...(hasCoarseStates(lines) && sums) },
      events: { ...of('events'), list: pointerTo(placesOf('events'), 'timeline') },
      search: listIn('search', 'payments', 'transactionId'),
      providers: listIn('providers', 'providers', 'providerId'),
    },
    mocks: {
      ...lines.mocks,
      initiate: pointerTo(mocks, 'steps.initiate.providerDetails'),
      finalize: pointerTo(mocks, 'steps.finalize.providerDetails'),
    },
    errors: {
      ...lines.errors,
      declined: { at: initiate.status ?? '', words: [lines.enums?.status?.DECLINED ?? 'DECLINED'] },
    },
  }
}

const pointerTo = (places: MemberPlaces, path: string): string =>
  placeOf(places, path)
    .map(segment => `/${escapeSegment(segment)}`)
    .join('')
