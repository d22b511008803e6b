import { SIGNATURE_ASPECTS, signatureSentence } from '../signature-aspects.ts'
import type { Schema } from './message-schema.ts'
import type { SpokenContext } from './spoken-context.ts'

/** Writes the title and the description of a document, with a sentence on each property of the signatures. */
export const infoOf = ({ lines, document }: SpokenContext): Schema => {
  const { title, version, summary } = document.info as Record<string, string>
  const sentences = (topic: string) =>
    SIGNATURE_ASPECTS.filter(aspect => aspect.topic === topic).flatMap(aspect => signatureSentence(aspect, lines) ?? [])
  const paragraphs = [
    summary,
    'Three layers protect every call: mutual TLS with a client certificate (5.1), a signature (5.2), a bearer token (5.3).',
    `Signatures of requests: ${sentences('requests').join(' ')}`,
    ...(sentences('responses').length > 0 ? [`Signatures of responses: ${sentences('responses').join(' ')}`] : []),
    'Numbers in brackets are clauses of the interface document; `D-01` and the like are decisions about what it leaves open.',
  ]
  return {
    title: lines.name === undefined ? title : `${title}, as ${lines.name} speaks`,
    version,
    description: paragraphs.join('\n\n'),
  }
}
