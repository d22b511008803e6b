import type { OperationName } from '../../operations.ts'
import { pointerOf } from '../json-pointer.ts'
import type { DescribedMember } from './described-members.ts'
import type { Constants } from './enum-format-and-constant-lines.ts'
import type { Unplaced } from './match-operations.ts'
import type { ReadMessage, ReadMessages } from './read-messages.ts'

type Read = {
  requests: ReadMessages<OperationName>
  responses: ReadMessages<OperationName>
  refusal: ReadMessage
  constants: Constants
}

/**
 * Lists the members that no profile line explains: those of an OpenAPI document, and those of ours that a message must
 * have.
 */
export const unplacedMembers = ({ requests, responses, refusal, constants }: Read): Unplaced[] => [
  ...[...requests].flatMap(([name, message]) => [
    ...missing(`requests.${name}`, message),
    ...strange(`requests.${name}`, message, pointer => pointer in (constants[name] ?? {})),
  ]),
  ...[...responses].flatMap(([name, message]) => [
    ...missing(`members.${name}`, message),
    ...strange(`members.${name}`, message),
    ...[...message.lists].flatMap(([list, { found, unclear, described }]) =>
      strange(`members.${name}.${list}`, { found, unclear, described }),
    ),
  ]),
  ...strange('members.refusal', refusal),
]

/** Members of ours that each message has and the document does not clearly describe. */
const missing = (place: string, { schema, found, unclear }: ReadMessage): Unplaced[] =>
  schema.members
    .filter(({ path, dependsOn }) => !found.has(path) && (dependsOn === '' || unclear.has(path)))
    .map(({ path }) => {
      const candidates = (unclear.get(path) ?? []).map(({ segments }) => pointerOf(segments))
      const reason =
        candidates.length === 0
          ? 'no member of the document is clearly this one'
          : `it may be ${candidates.join(' or ')}`
      return { place: `${place}.${path}`, reason }
    })

const strange = (
  place: string,
  { found, unclear, described }: Pick<ReadMessage, 'found' | 'unclear' | 'described'>,
  isKnown: (pointer: string) => boolean = () => false,
): Unplaced[] => {
  const used = new Set<DescribedMember>([...found.values(), ...[...unclear.values()].flat()])
  return described
    .filter(member => !used.has(member))
    .map(({ segments }) => pointerOf(segments))
    .filter(pointer => pointer !== '' && !isKnown(pointer))
    .map(pointer => ({ place: `${place} ${pointer}`, reason: 'it is clearly no member of ours' }))
}
