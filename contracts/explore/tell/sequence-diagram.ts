import type { PlayedStep } from '../play-and-judge-steps.ts'
import { describeResponse } from '../read-response.ts'
import type { Step } from '../step.ts'
import { describeStep } from './describe-step.ts'

const SERVICE = 'Service'

/** The participant by whom a step is taken. */
const actorOf = ({ do: what, by }: Step): string => {
  if (what === 'shopper' || what === 'code') return 'Shopper'
  if (what === 'pass') return 'Clock'
  return by === undefined ? 'Merchant' : 'Other'
}

const NAMES = { Merchant: 'merchant', Other: 'second organization', Shopper: 'shopper', Clock: 'clock' } as const

const arrows = ({ step, response }: PlayedStep): string[] => {
  const actor = actorOf(step)
  return [
    `${actor}->>${SERVICE}: ${step.id} ${describeStep(step)}`,
    ...(response ? [`${SERVICE}-->>${actor}: ${describeResponse(response)}`] : []),
  ]
}

/** Draws a play of exploration as a Mermaid sequence diagram; calls that were made at once stand in a `par`. */
export const sequenceDiagram = (played: readonly PlayedStep[]): string => {
  const actors = new Set(played.map(({ step }) => actorOf(step)))
  const lines = played.flatMap((one, index) => {
    const [isJoined, isJoinedByNext] = [one.step.together, played[index + 1]?.step.together]
    return [
      ...(isJoined ? ['and'] : isJoinedByNext ? ['par'] : []),
      ...arrows(one),
      ...(isJoined && !isJoinedByNext ? ['end'] : []),
    ]
  })
  const participants = Object.entries(NAMES).flatMap(([actor, name]) =>
    actors.has(actor) ? [`participant ${actor} as ${name}`] : [],
  )
  return [
    'sequenceDiagram',
    ...[...participants, `participant ${SERVICE} as service`, ...lines].map(line => `  ${line}`),
  ].join('\n')
}
