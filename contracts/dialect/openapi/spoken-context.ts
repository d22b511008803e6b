import { type DecisionChoices, decisionChoices } from '../decision-choices.ts'
import type { DialectLines, MessageName } from '../dialect-lines.ts'
import { type MemberPlaces, placeOf } from '../member-places.ts'
import { SAME_IDS, shortenUuid, UUIDS_AS_NUMBERS } from '../numeric-ids.ts'
import { createRequestLens, type RequestLens } from '../request-lens.ts'
import { createResponseLens, type ResponseLens } from '../response-lens.ts'
import { createResolver, type MessageSchema, type Resolve, type Schema } from './message-schema.ts'

/** An OpenAPI description as parsed from YAML: the document's own, or a deployment's. */
export type OpenApiObject = Schema

/** Context in which every part of the OpenAPI description is translated to a dialect: its lines, choices and lenses. */
export type SpokenContext = {
  lines: DialectLines
  choices: DecisionChoices
  document: OpenApiObject
  resolve: Resolve
  requests: RequestLens
  responses: ResponseLens
  /** Places of the members of a message that is sent, or received. */
  placesOf: { request: RequestLens['placesOf']; response(message: MessageName): MemberPlaces }
}

/**
 * Creates the context in which an OpenAPI description is translated; ids of its examples are short, so that they are
 * exact numbers.
 */
export const createSpokenContext = (lines: DialectLines, document: OpenApiObject): SpokenContext => {
  const ids =
    lines.ids?.transactionId === 'number'
      ? { ...UUIDS_AS_NUMBERS, write: (id: string) => UUIDS_AS_NUMBERS.write(isUuid(id) ? shortenUuid(id) : id) }
      : SAME_IDS
  const requests = createRequestLens(lines, ids)
  const responses = createResponseLens(lines, ids)
  return {
    lines,
    choices: decisionChoices(lines.decisions),
    document,
    resolve: createResolver(document),
    requests,
    responses,
    placesOf: { request: requests.placesOf, response: responses.placesOf },
  }
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Members whose words may stand in a sentence, with those that are no words of states. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['ACCEPTED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELED'],
  transactionType: ['ONE_TIME', 'RECURRING', 'TOKEN_ONLY'],
}

/**
 * Creates the function that names members and words in the backticks of OpenAPI descriptions as the deployment does.
 */
export const createSpeller = (spoken: readonly (readonly [MessageSchema, MemberPlaces])[]): Spell => {
  const names = new Map<string, string>()
  for (const [{ members, objects }, places] of spoken)
    for (const { path } of [...objects, ...members]) {
      const spelt = placeOf(places, path).join('.')
      for (const name of [path, path.slice(path.lastIndexOf('.') + 1)])
        if (name !== '' && spelt !== '' && !names.has(name)) names.set(name, spelt)
    }
  const [, places] = spoken[0] ?? []
  const wordOf = (word: string, member = Object.keys(WORDS).find(name => WORDS[name]?.includes(word))): string =>
    String(places?.values.write(member ?? 'state', word) ?? word)
  const spellToken = (token: string, member?: string): string =>
    names.get(token) ?? (/^[A-Z][A-Z_]+$/.test(token) ? wordOf(token, member) : token)
  return (text: string, member?: string): string =>
    text.replace(/`[^`]+`/g, quoted =>
      quoted.replace(/[A-Za-z][A-Za-z_.]*[A-Za-z]/g, token => spellToken(token, member)),
    )
}

/**
 * A function that names members and words in a text as a deployment does; `member` is the one that the text describes.
 */
export type Spell = (text: string, member?: string) => string
