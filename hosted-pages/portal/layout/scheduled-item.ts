/** A scheduled item as the portal lists it; epoch milliseconds on the organization's clock. */
export type ScheduledItem = { at: number; name: string; transactionId?: string; deliveryId?: string }

// biome-ignore format: a table reads by its columns
const WORDS: Readonly<Record<string, string>> = {
  'shopper-act':      'The scripted shopper decides',
  'shopper-window':   'The time of the shopper to decide ends',
  'consent':          'The time to finalize ends',
  'hold':             'The hold on the money ends',
  'settlement':       'The capture is settled',
  'refund-outcome':   'The outcome of a refund arrives',
  'dispute':          'The payer disputes the payment',
  'dispute-decision': 'The dispute is decided',
  'late-answer':      'A late response of the provider arrives',
  'delivery':         'A webhook is sent',
}

/** Returns in words what the clock brings; of a name that has none, the name. */
export const scheduledWords = ({ name }: Pick<ScheduledItem, 'name'>): string => WORDS[name] ?? name
