import type { PlayedStep } from '../play-and-judge-steps.ts'
import { describeResponse } from '../read-response.ts'
import type { Step } from '../step.ts'

const BEGINNINGS = ['initiate', 'charge']

/** Describes a step of exploration in words, such as `capture 400 of the payment of s1`. */
export const describeStep = (step: Step): string => {
  const {
    do: what,
    on,
    amount,
    method,
    type,
    autoCapture,
    payer,
    reference,
    code,
    tokenOf,
    mock,
    time,
    decision,
  } = step
  const of = on === undefined ? '' : on === 'unknown' ? ' of a payment that does not exist' : ` of the payment of ${on}`
  if (what === 'pass') return `${time} pass`
  if (what === 'code') return 'a one-time code is made'
  if (what === 'shopper') return `the shopper ${decision === 'decline' ? 'declines' : 'approves'} the payment of ${on}`
  if (what === 'repeat')
    return `the call of ${step.again} again${step.change ? ` with another ${step.change}` : ''}${step.key === 'new' ? ' under a new key' : ''}${circumstances(step)}`
  const members = [
    ...(BEGINNINGS.includes(what) ? [method ?? 'BLIK'] : []),
    ...(type === undefined ? [] : [type]),
    ...(amount === undefined ? [] : [String(amount)]),
    ...(autoCapture === undefined ? [] : [`autoCapture ${autoCapture}`]),
    ...(payer === undefined ? [] : [`payer ${payer}`]),
    ...(reference === undefined ? [] : [`reference ${reference}`]),
    ...(code === undefined ? [] : [`the code of ${code}`]),
    ...(tokenOf === undefined ? [] : [`the payment token of ${tokenOf}`]),
    ...(mock === undefined
      ? []
      : [
          mock.type,
          ...(mock.oneTime === undefined ? [] : [`oneTime ${mock.oneTime}`]),
          ...(mock.shows ? [`with ${mock.shows}${mock.step ? ` of ${mock.step}` : ''}`] : []),
        ]),
  ]
  return `${what}${members.length > 0 ? ` ${members.join(', ')}` : ''}${of}${circumstances(step)}`
}

const KEYS: Readonly<Record<string, string>> = { none: 'without a key', empty: 'with an empty key' }

const circumstances = ({ by, account, wrong, key, lost, fault, together }: Step): string =>
  [
    ...(by ? ['by the second organization'] : []),
    ...(account ? [account === 'other' ? 'with another account' : "with the other organization's account"] : []),
    ...(wrong ? [`with ${wrong}`] : []),
    ...(key === undefined || key === 'new' ? [] : [KEYS[key] ?? `under the key of ${key}`]),
    ...(fault ? [`while the provider has the fault ${fault}`] : []),
    ...(lost ? ['whose response is lost'] : []),
    ...(together ? ['at the same time'] : []),
  ]
    .map(text => `, ${text}`)
    .join('')

/** Describes a played step and its response in one line of a counterexample. */
export const describePlayed = ({ step, response }: PlayedStep): string =>
  `${step.id} ${describeStep(step)}${response ? ` → ${describeResponse(response)}` : ''}`
