import type { JournalEntry } from '../journal/entry.ts'

/** What narrows the journal; every member given must fit. */
export type JournalWish = {
  /** Part of the target, or the name of the operation. */
  path?: string | undefined
  /** `404`, or `4xx` for all of a kind. */
  status?: string | undefined
  /** A payment, a capture or a refund that was asked for or told of. */
  transactionId?: string | undefined
  /** Of the service or of the provider (7.2, 7.5). */
  reasonCode?: string | undefined
  /** Words that all stand somewhere in the call or its answer; one with a minus in front must not. */
  q?: string | undefined
}

export const JOURNAL_WISHES = ['path', 'status', 'transactionId', 'reasonCode', 'q'] as const

type Fits = (entry: JournalEntry) => boolean

/** Whether a call is one of those that are asked for. */
export const fitsWish = (wish: JournalWish): Fits => {
  const parts = JOURNAL_WISHES.flatMap(name => {
    const text = wish[name]?.trim()
    return text ? [BY[name](text)] : []
  })
  return entry => parts.every(fits => fits(entry))
}

const BY: Readonly<Record<keyof JournalWish, (text: string) => Fits>> = {
  path: text => {
    const part = text.toLowerCase()
    return ({ request, operation = '' }) =>
      request.target.toLowerCase().includes(part) || operation.toLowerCase() === part
  },
  status: text => {
    const beginning = text.replace(/(?<!x)x+$/i, '')
    return ({ answer }) => String(answer.status).startsWith(beginning)
  },
  transactionId: text => about(text),
  reasonCode: text => {
    const told = new RegExp(`"reasonCode"\\s*:\\s*"${escaped(text)}"`)
    return ({ answer }) => told.test(answer.body)
  },
  q: text => {
    const words = text.split(/\s+/).map(word => {
      const [without, letters] = word.length > 1 && word.startsWith('-') ? [true, word.slice(1)] : [false, word]
      return { without, found: new RegExp(escaped(letters), 'i') }
    })
    return entry => words.every(({ without, found }) => textsOf(entry).some(one => found.test(one)) !== without)
  },
}

/** Calls that name a payment in their address or body, and answers that tell of it. */
export const about =
  (transactionId: string): Fits =>
  ({ request, answer }) =>
    request.target.includes(transactionId) ||
    request.body.includes(transactionId) ||
    answer.body.includes(transactionId)

const textsOf = ({ callId, operation = '', request, answer, refused, script }: JournalEntry): string[] => [
  `${request.method} ${request.target} ${answer.status}`,
  request.body,
  answer.body,
  operation,
  callId,
  ...Object.entries(request.headers).flat(),
  ...Object.entries(answer.headers).flat(),
  ...(refused ? Object.values(refused) : []),
  ...(script ? [JSON.stringify(script)] : []),
]

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
