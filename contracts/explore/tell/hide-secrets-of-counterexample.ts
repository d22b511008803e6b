import type { Exchange } from '../../client/http-exchange.ts'
import { redactorOf } from '../../client/redact-secrets.ts'
import { shortenedText } from '../../harness/report/exchange-text.ts'
import type { PlayedStep } from '../play-and-judge-steps.ts'
import type { Shrunk } from '../shrink.ts'

/** Characters of a reasonCode that are told; one of the contract has four. */
const LONGEST_CODE = 100

/**
 * Copies a counterexample for telling it: the secrets of all these exchanges are hidden in what the service wrote, which
 * is not told at any length.
 */
export const hideSecretsOf = (shrunk: Shrunk, exchanges: readonly Exchange[]): Shrunk => {
  const { played, violation, ...play } = shrunk.play
  const redactor = redactorOf(exchanges)
  const hidden = ({ response, exchange, ...rest }: PlayedStep): PlayedStep => ({
    ...rest,
    ...(exchange && { exchange: redactor.exchange(exchange) }),
    ...(response && {
      response: {
        ...response,
        ...(response.code !== undefined && { code: shortenedText(redactor.text(response.code), LONGEST_CODE) }),
      },
    }),
  })
  const told = violation && { violation: { ...violation, got: shortenedText(redactor.text(violation.got)) } }
  return { ...shrunk, play: { ...play, ...told, played: played.map(hidden) } }
}
