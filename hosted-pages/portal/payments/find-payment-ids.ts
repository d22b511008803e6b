/** Features of the simulator by which a payment is found that a filter field names. */
export type PaymentIdFeatures = {
  search: { find(organizationId: string, text: string): Promise<readonly { kind: string; id: string }[]> }
  payments: {
    list(
      organizationId: string,
      page: { transactionId?: string; clientTransactionId?: string; limit: number },
    ): Promise<{ payments: readonly { transactionId: string }[] }>
  }
}

/** Most payments of one reference. */
const MOST = 200

/**
 * Finds the ids of the payments that a filter field names: by the whole id, by the end of it, with or without the dots
 * of a shortened one, or by the reference where that is `accepted`.
 */
export const findPaymentIds = async (
  { search, payments }: PaymentIdFeatures,
  organizationId: string,
  text: string,
  accepted: 'ids' | 'ids and references' = 'ids and references',
): Promise<readonly string[]> => {
  const idsOf = async (page: { transactionId?: string; clientTransactionId?: string }) =>
    (await payments.list(organizationId, { ...page, limit: MOST })).payments.map(({ transactionId }) => transactionId)
  const whole = await idsOf({ transactionId: text })
  if (whole.length > 0) return whole
  const end = text.replace(/^(…|\.{3})/, '')
  const hits = await search.find(organizationId, text)
  const byEnd = hits.filter(({ kind, id }) => kind === 'payment' && id.endsWith(end)).map(({ id }) => id)
  const byReference = accepted === 'ids' ? [] : await idsOf({ clientTransactionId: text })
  return [...new Set([...byEnd, ...byReference])]
}
