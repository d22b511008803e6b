import type { Journal } from '../journal/journal.ts'
import type { FoundId } from '../store/payment-count-and-id-search-store.ts'
import type { Store } from '../store/store.ts'
import type { PaymentList, PaymentRow } from '../timeline/payment-list-reader.ts'
import { amountsOf, idEndOf } from './read-search-text.ts'

type Parts = {
  store: Store
  journal: Journal
  payments: Pick<PaymentList, 'list'>
  signingKeys: { list(organizationId: string): Promise<readonly { keyId: string; state: string }[]> }
  certificates: {
    list(organizationId: string): Promise<readonly { fingerprint: string; serial: string; state: string }[]>
  }
}

/**
 * Something that a search in an organization found: its kind and id, the payment that it belongs to, and a few words
 * about it.
 */
export type SearchHit = {
  kind: FoundId['kind'] | 'call' | 'endpoint' | 'signing-key' | 'certificate'
  id: string
  transactionId?: string
  about: string
  /** The payment itself, where it is one. */
  payment?: PaymentRow
}

/** Most hits of one kind. */
const LIMIT = 20

/**
 * Creates the search over everything that an organization has: by an id or the end of it, by a reference, by an amount.
 * Each step takes a few milliseconds of the event loop, whatever there is to search.
 */
export const createSearch = ({ store, journal, payments, signingKeys, certificates }: Parts) => {
  const byReference = async (organizationId: string, clientTransactionId: string): Promise<SearchHit[]> =>
    (await payments.list(organizationId, { clientTransactionId, limit: LIMIT })).payments.map(toHit)

  const byAmount = async (organizationId: string, text: string): Promise<SearchHit[]> => {
    const found = amountsOf(text).map(amount =>
      payments.list(organizationId, { amountFrom: amount, amountTo: amount, limit: LIMIT }),
    )
    return (await Promise.all(found)).flatMap(page => page.payments.map(toHit))
  }

  const byId = async (organizationId: string, end: string): Promise<SearchHit[]> => {
    const [ids, endpoints, keys, known] = await Promise.all([
      store.findIds(organizationId, { end, limit: LIMIT }),
      store.endpoints(organizationId),
      signingKeys.list(organizationId),
      certificates.list(organizationId),
    ])
    const digits = hexDigits(end)
    return [
      ...(await Promise.all(ids.map(found => withPayment(organizationId, found)))),
      ...callsOf(organizationId, end),
      ...endpoints
        .filter(({ endpointId, url }) => endpointId.endsWith(end) || url.includes(end))
        .map(({ endpointId, url }) => ({ kind: 'endpoint' as const, id: endpointId, about: url })),
      ...keys
        .filter(({ keyId }) => keyId.endsWith(end))
        .map(({ keyId, state }) => ({ kind: 'signing-key' as const, id: keyId, about: state })),
      ...known
        .filter(
          ({ fingerprint, serial }) =>
            digits !== '' && [fingerprint, serial].some(one => hexDigits(one).endsWith(digits)),
        )
        .map(({ fingerprint, state }) => ({ kind: 'certificate' as const, id: fingerprint, about: state })),
    ]
  }

  const withPayment = async (organizationId: string, { kind, id, transactionId, clientTransactionId }: FoundId) => {
    if (kind !== 'payment')
      return { kind, id, ...(transactionId && { transactionId }), about: clientTransactionId ?? '' }
    const [payment] = (await payments.list(organizationId, { transactionId: id, limit: 1 })).payments
    return payment ? toHit(payment) : { kind, id, transactionId: id, about: clientTransactionId ?? '' }
  }

  const callsOf = (organizationId: string, end: string): SearchHit[] =>
    journal
      .callIds(organizationId)
      .filter(callId => callId.endsWith(end))
      .slice(0, LIMIT)
      .flatMap(callId => journal.find(organizationId, callId) ?? [])
      .map(({ callId, request, response }) => ({
        kind: 'call',
        id: callId,
        about: `${request.method} ${request.target} ${response.status}`,
      }))

  return {
    /** Finds what a text names; each hit once, payments first. */
    find: async (organizationId: string, text: string): Promise<readonly SearchHit[]> => {
      const asked = text.trim().slice(0, 200)
      if (asked === '') return []
      const end = idEndOf(asked)
      const found = [
        ...(await byReference(organizationId, asked)),
        ...(end === undefined ? [] : await byId(organizationId, end)),
        ...(await byAmount(organizationId, asked)),
      ]
      return [...new Map(found.map(hit => [`${hit.kind} ${hit.id}`, hit])).values()]
    },
  }
}

const toHit = (payment: PaymentRow): SearchHit => ({
  kind: 'payment',
  id: payment.transactionId,
  transactionId: payment.transactionId,
  about: payment.clientTransactionId,
  payment,
})

/** The digits of a fingerprint or serial number, without colons, in lower case; empty where the text is none. */
const hexDigits = (text: string): string => {
  const digits = text.replaceAll(':', '').toLowerCase()
  return /^[0-9a-f]+$/.test(digits) ? digits : ''
}
