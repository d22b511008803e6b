import { OPERATION_NAMES, type OperationName } from '../../operations.ts'
import type { JsonObject } from '../../protocol/canonical-json.ts'
import { reportFormOf } from '../csv-report-form.ts'
import type { MessageName } from '../dialect-lines.ts'
import { pointerOf } from '../json-pointer.ts'
import { MEMBER_NAMINGS } from '../member-naming.ts'
import { placeOf } from '../member-places.ts'
import type { Schema } from '../openapi/message-schema.ts'
import type { SpokenContext } from '../openapi/spoken-context.ts'
import { jsonOf, requestSchema } from '../openapi/spoken-request.ts'
import { responseSchema } from '../openapi/spoken-responses.ts'
import { readOnlyPlaces, STANDARD } from '../response-lens.ts'
import { placedMembers } from './member-places-of-messages.ts'
import { groupMoves, type Move, movedMembers } from './moved-members.ts'
import { changed } from './topic-comparison.ts'

/** Where two dialects write names of several words otherwise, the name that they have in common. */
const commonName = (from: SpokenContext, to: SpokenContext) => {
  const [one, other] = [from, to].map(({ lines }) => lines.naming ?? 'camelCase')
  return one === other ? undefined : MEMBER_NAMINGS.snake_case.write
}

/** Compares how two dialects write member names of several words; returns the sentence on what changes. */
export const namingChange: Compared = (from, to) => {
  const [one, other] = [from, to].map(({ lines }) => lines.naming ?? 'camelCase')
  return one === other
    ? []
    : [`A name of several words is written in ${other} instead of ${one}; only others are listed here.`]
}

type Compared = (from: SpokenContext, to: SpokenContext) => string[]

/** Compares the places of request members in two dialects; returns a sentence for each move. */
export const requestMoves: Compared = (from, to) => {
  const spoken = OPERATION_NAMES.filter(name => name !== 'token')
  return sentences(spoken, { has: 'send', lacks: 'leave it out', verb: 'write' }, name => {
    const placed = (context: SpokenContext) =>
      placedMembers(requestSchema(context, name), context.placesOf.request(name), context.resolve)
    return movedMembers(placed(from), placed(to), commonName(from, to))
  })
}

/** Compares the places of response members in two dialects; returns a sentence for each move. */
export const responseMoves: Compared = (from, to) => {
  const spoken = OPERATION_NAMES.filter(name => !STANDARD.includes(name))
  const { schemas } = from.document.components as { schemas: JsonObject }
  return sentences([...spoken, 'webhook'] as const, RECEIVED, name =>
    movesOfResponse(from, to, name, name === 'webhook' ? schemas.Notification : successOf(from, name)),
  )
}

/** Compares the names of the columns of report files in two dialects; returns a sentence for each that differs. */
export const columnNames: Compared = (from, to) => {
  const named = [from, to].flatMap(({ lines }) => Object.keys(lines.members?.downloadReport ?? {}))
  const nameIn = (context: SpokenContext) => reportFormOf({ lenses: context }).header
  return changed(
    [...new Set(named)],
    [nameIn(from), nameIn(to)],
    (column, now, old) => `${column}: read the column ${now} instead of ${old} (downloadReport).`,
  )
}

/** Compares the places of members of refusals in two dialects; returns a sentence for each move. */
export const refusalMoves: Compared = (from, to) => {
  const { schemas } = from.document.components as { schemas: JsonObject }
  return sentences(['refusal'] as const, RECEIVED, name => movesOfResponse(from, to, name, schemas.Refusal))
}

const movesOfResponse = (from: SpokenContext, to: SpokenContext, name: MessageName, schema: unknown): Move[] => {
  const placed = (context: SpokenContext) =>
    placedMembers(responseSchema(context, name, schema), context.placesOf.response(name), context.resolve)
  const readOnly = readOnlyMoves(from, to, name)
  const moved = movedMembers(placed(from), placed(to), commonName(from, to))
  return [...moved.filter(({ path }) => !readOnly.some(other => other.path === path)), ...readOnly]
}

/** The moves to and from an item of a list, which is no place that a member is written to. */
const readOnlyMoves = (from: SpokenContext, to: SpokenContext, name: MessageName): Move[] => {
  const [one, other] = [from, to].map(({ lines }) => readOnlyPlaces(lines, name))
  const placeIn = ({ placesOf }: SpokenContext, path: string) => pointerOf(placeOf(placesOf.response(name), path))
  return Object.keys({ ...one, ...other })
    .map(path => ({ path, from: one?.[path] ?? placeIn(from, path), to: other?.[path] ?? placeIn(to, path) }))
    .filter(move => move.from !== move.to)
}

const successOf = ({ document }: SpokenContext, name: OperationName): unknown => {
  const operations = Object.values(document.paths as Record<string, Record<string, Schema>>).flatMap(
    Object.values<Schema>,
  )
  const { responses = {} } = operations.find(({ operationId }) => operationId === name) ?? {}
  return jsonOf((responses as JsonObject)['200']).schema
}

type Verbs = { has: string; lacks: string; verb: string }
const RECEIVED: Verbs = { has: 'read it', lacks: 'it is not there', verb: 'read' }

const sentences = <Name extends string>(
  names: readonly Name[],
  verbs: Verbs,
  movesOf: (name: Name) => Move[],
): string[] => {
  const groups = groupMoves(new Map(names.map(name => [name, movesOf(name)])))
  return groups.map(({ path, from, to, messages }) => {
    const name = path || 'the whole message'
    const where = names.length === 1 ? '' : ` (${messages.join(', ')})`
    if (to === undefined) return `${name}: ${verbs.lacks}; it was at ${from}${where}.`
    if (from === undefined) return `${name}: ${verbs.has} at ${to}${where}.`
    return `${name}: ${verbs.verb} ${to || 'the whole body'} instead of ${from || 'the whole body'}${where}.`
  })
}
