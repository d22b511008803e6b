import type { OperationName } from '../../operations.ts'
import type { DialectLines, MessageName } from '../dialect-lines.ts'
import { pointerOf } from '../json-pointer.ts'
import { createRequestLens } from '../request-lens.ts'
import { createResponseLens, FIELD_MEMBERS } from '../response-lens.ts'
import type { DescribedMember } from './described-members.ts'
import { linesOfMessage, type MemberLines, mergedLines } from './member-lines.ts'
import type { ReadMessage, ReadMessages } from './read-messages.ts'

type Lines = Readonly<Record<string, MemberLines>>
type Naming = Pick<DialectLines, 'naming'>

/**
 * Writes the profile lines `requests` for members found in an OpenAPI document: those for all operations, and those of
 * single ones.
 */
export const requestLines = (requests: ReadMessages<OperationName>, naming: Naming): Lines => {
  const linesWith = (all: MemberLines) =>
    new Map(
      [...requests].map(([name, { found }]) => [
        name,
        linesOfMessage(found, lines =>
          createRequestLens({ ...naming, requests: { all, [name]: lines } }).placesOf(name),
        ),
      ]),
    )
  const all = mergedLines(linesWith({}))
  return notEmpty({ all, ...Object.fromEntries(linesWith(all)) })
}

/**
 * Writes the profile lines `members` for members found in an OpenAPI document: the place of the whole response, lines
 * for all responses and items, and those of single ones.
 */
export const responseLines = (
  responses: ReadMessages<OperationName>,
  naming: Naming,
  envelope: string | undefined,
): Lines => {
  const linesWith = (all: MemberLines) =>
    new Map(
      [...responses].map(([name, message]) => {
        const placesWith = (lines: MemberLines) =>
          createResponseLens({ ...naming, members: { all, [name]: lines } }).placesOf(name as MessageName)
        const own = linesOfMessage(message.found, placesWith)
        for (const [list, { found }] of message.lists) {
          const inItems = linesOfMessage(found, lines => placesWith(below(list, lines)).itemsOf(list))
          Object.assign(own, below(list, inItems))
        }
        return [name, own]
      }),
    )
  const all = mergedLines(linesWith({}))
  const root = envelope === undefined ? {} : { '': pointerOf([envelope]) }
  return notEmpty({ all: { ...root, ...all }, ...Object.fromEntries(linesWith(all)) })
}

const below = (list: string, lines: MemberLines): MemberLines =>
  Object.fromEntries(Object.entries(lines).map(([path, pointer]) => [`${list}.${path}`, pointer]))

/**
 * Writes the profile lines `errors`, and those of a refusal's other members, for members found in an OpenAPI document.
 */
export const refusalLines = ({ found }: ReadMessage, naming: Naming): { errors: object; refusal: MemberLines } => {
  const pointerTo = (path: string) => {
    const member = found.get(path)
    return member && pointerOf(member.segments)
  }
  const reasonCode = pointerTo('statusInfo.reasonCode')
  const callId = pointerTo('callId')
  const errors = { ...(reasonCode && { reasonCode }), ...(callId && { callId }) }
  const others = new Map([...found].filter(([path]) => /^(statusInfo\.message|fields)$/.test(path)))
  const placesWith = (lines: MemberLines) =>
    createResponseLens({ ...naming, errors, members: { refusal: lines } }).placesOf('refusal')
  return { errors, refusal: linesOfMessage(others, placesWith) }
}

/** What `fields` has for each response (2.6, 2.9), and where that is: a member of the response, a list, or one of its items. */
// biome-ignore format: a table reads by its columns
const FIELDS: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  initiate:  ['transactionId', 'redirectUrl', 'reasonCode', 'status', 'providerTransactionId', 'registeredAt', 'expiresAt'],
  finalize:  ['paymentToken'],
  charge:    ['transactionId'],
  status:    ['state', 'reasonCode'],
  events:    ['transactionId', 'status', 'reasonCode', 'list:timeline', 'state', 'captured', 'refunded'],
  search:    ['list:payments', 'item:payments.transactionId'],
  providers: ['list:providers', 'item:providers.providerId'],
}

/** Sums that status has in some deployments only; then they tell its stages apart. */
const SUMS = ['captured', 'refunded']

/** Writes the profile lines `fields` for members found in an OpenAPI document: JSON pointers from the whole body. */
export const fieldLines = (responses: ReadMessages<OperationName>, envelope: string | undefined): Lines => {
  const root = envelope === undefined ? [] : [envelope]
  const lines = [...responses].map(([name, { found, lists }]): [string, MemberLines] => {
    const names = [...(FIELDS[name] ?? []), ...(name === 'status' ? SUMS : [])]
    const own = names.flatMap(field => {
      const [kind = '', path = ''] = field.includes(':') ? field.split(':') : [field, FIELD_MEMBERS[field]]
      const list = path.split('.')[0] ?? ''
      const item = path.slice(list.length + 1)
      const member: DescribedMember | undefined = kind === 'item' ? lists.get(list)?.found.get(item) : found.get(path)
      if (!member) return []
      return [[kind === 'item' ? item : kind, pointerOf([...(kind === 'item' ? [] : root), ...member.segments])]]
    })
    return [name, Object.fromEntries(own)]
  })
  return notEmpty(Object.fromEntries(lines))
}

const notEmpty = (lines: Lines): Lines =>
  Object.fromEntries(Object.entries(lines).filter(([, own]) => Object.keys(own).length > 0))
