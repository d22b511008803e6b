import { chosenOtherwise, type MeaningOf } from '../decision-choices.ts'
import { SIGNATURE_ASPECTS, signatureSentence } from '../signature-aspects.ts'
import type { Schema } from './message-schema.ts'
import type { SpokenContext } from './spoken-context.ts'

/**
 * Writes title and description of a dialect's OpenAPI document, with a sentence on each property of the signatures and
 * each unusual choice.
 */
export const infoOf = ({ lines, choices, document }: SpokenContext, meaningOf: MeaningOf): Schema => {
  const { title, version, summary } = document.info as Record<string, string>
  const sentences = (topic: string) =>
    SIGNATURE_ASPECTS.filter(aspect => aspect.topic === topic).flatMap(aspect => signatureSentence(aspect, lines) ?? [])
  const otherwise = chosenOtherwise(choices).map(number => `- ${number}: ${meaningOf(number, choices[number])}`)
  const paragraphs = [
    summary,
    'Three layers protect every call: mutual TLS with a client certificate (5.1), a signature (5.2), a bearer token (5.3).',
    `Signatures of requests: ${sentences('requests').join(' ')}`,
    ...(sentences('responses').length > 0 ? [`Signatures of responses: ${sentences('responses').join(' ')}`] : []),
    ...(otherwise.length > 0 ? [`What it does otherwise than usual:\n\n${otherwise.join('\n')}`] : []),
    'Numbers in brackets are clauses of the interface document; `D-01` and the like are decisions about what it leaves open.',
  ]
  return {
    title: lines.name === undefined ? title : `${title}, as ${lines.name} speaks`,
    version,
    description: paragraphs.join('\n\n'),
  }
}
