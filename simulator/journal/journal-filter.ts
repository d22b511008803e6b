import { isProviderOperation } from '../../contracts/operations.ts'
import { ControlError, requireOneOf } from '../support/control-error.ts'
import { REFUSING_LAYERS } from '../support/refusal.ts'
import { documentBodies, type JournalEntry } from './journal-entry.ts'

/** Filter of journal entries; every given member must match. */
export type JournalFilter = {
  /** Part of the target, or the name of the operation. */
  path?: string | undefined
  /** `404`, `4xx` for all of a kind, or `error` for all from 400 on. */
  status?: string | undefined
  /** The id of a payment, capture or refund in the request or the response. */
  transactionId?: string | undefined
  /** A reason code of the service or of the provider (7.2, 7.5). */
  reasonCode?: string | undefined
  /** HTTP method of the request. */
  method?: string | undefined
  /** The security or other layer that refused the call, or `any`. */
  layer?: string | undefined
  /** `sent` for calls that have done something that webhooks tell of. */
  webhooks?: string | undefined
  /** Words that all occur in values of the request or the response; a word with a leading minus must not. */
  q?: string | undefined
}

/** Names of the members of a journal filter, which are also those of its query parameters. */
export const JOURNAL_FILTER_MEMBERS = [
  'path',
  'status',
  'transactionId',
  'reasonCode',
  'method',
  'layer',
  'webhooks',
  'q',
] as const

type Matches = (entry: JournalEntry) => boolean

/** Creates the predicate for the journal entries that match a filter; refuses one with too many words. */
export const matchesJournalFilter = (filter: JournalFilter): Matches => {
  const parts = JOURNAL_FILTER_MEMBERS.flatMap(name => {
    const text = filter[name]?.trim()
    return text ? [MATCHERS[name](text)] : []
  })
  return entry => parts.every(matches => matches(entry))
}

const MATCHERS: Readonly<Record<keyof JournalFilter, (text: string) => Matches>> = {
  path: text => {
    const part = text.toLowerCase()
    return ({ request, operation = '' }) =>
      request.target.toLowerCase().includes(part) || operation.toLowerCase() === part
  },
  status: text => {
    if (!/^(error|(?!.{4})[1-5]\d*[xX]*)$/.test(text))
      throw new ControlError(
        'invalid',
        `status is ${JSON.stringify(text.slice(0, 40))}: give a status such as 404, 4xx or error.`,
      )
    if (text === 'error') return ({ response }) => response.status >= 400
    const beginning = text.replace(/(?<!x)x+$/i, '')
    return ({ response }) => String(response.status).startsWith(beginning)
  },
  transactionId: text => mentionsTransaction(text),
  reasonCode: text => {
    const member = new RegExp(`"reasonCode"\\s*:\\s*"${escaped(text)}"`)
    return entry => member.test(documentBodies(entry).response)
  },
  method: text => {
    const method = text.toUpperCase()
    return ({ request }) => request.method === method
  },
  layer: text => {
    requireOneOf('layer', text, ['any', ...REFUSING_LAYERS])
    return ({ refused }) => refused !== undefined && (text === 'any' || refused.layer === text)
  },
  webhooks: text => {
    requireOneOf('webhooks', text, ['sent'])
    return ({ operation, response, replayed }) =>
      isProviderOperation(operation) && response.status < 300 && replayed === undefined
  },
  q: text => {
    const words = readWords(text).map(word => {
      const [isExcluded, letters] = word.length > 1 && word.startsWith('-') ? [true, word.slice(1)] : [false, word]
      return { isExcluded, pattern: new RegExp(escaped(letters), 'i') }
    })
    return entry => {
      const texts = textsOf(entry)
      return words.every(({ isExcluded, pattern }) => texts.some(one => pattern.test(one)) !== isExcluded)
    }
  },
}

/** Most characters and different words of `q`: every word is looked for in every text of every call. */
const [MOST_CHARACTERS, MOST_WORDS] = [200, 10]

const readWords = (text: string): readonly string[] => {
  const words = [...new Set(text.split(/\s+/))]
  const excess = [
    ...(text.length > MOST_CHARACTERS ? [`${text.length} characters: give at most ${MOST_CHARACTERS}`] : []),
    ...(words.length > MOST_WORDS ? [`${words.length} different words: give at most ${MOST_WORDS}`] : []),
  ]
  if (excess[0] === undefined) return words
  throw new ControlError('invalid', `q has ${excess[0]}.`)
}

/** Creates the predicate for journal entries with a transactionId in the request's target or in either body. */
const mentionsTransaction =
  (transactionId: string): Matches =>
  entry => {
    const { request, response } = documentBodies(entry)
    return [entry.request.target, entry.request.body, entry.response.body, request, response].some(text =>
      text.includes(transactionId),
    )
  }

const textsOf = ({ callId, operation, request, response, refused, unknown, script }: JournalEntry): string[] => [
  `${request.method} ${request.target} ${response.status}`,
  request.body,
  response.body,
  operation ?? '',
  callId,
  ...Object.values(request.headers),
  ...Object.values(response.headers),
  ...(refused ? Object.values(refused) : []),
  ...(unknown ?? []).map(({ member }) => member),
  ...(script ? [JSON.stringify(script)] : []),
]

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
