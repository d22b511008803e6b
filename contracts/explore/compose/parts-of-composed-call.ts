import { randomUUID } from 'node:crypto'
import { withoutUntaken } from '../../dialect/request-lens.ts'
import type { BrokenRule, Party } from '../../model/model-call-and-judged-response.ts'
import { canonicalJson, isJsonObject } from '../../protocol/canonical-json.ts'
import { rulesOfProfile } from '../model-rules-of-profile.ts'
import type { SentCall, Stage } from '../organizations-and-values-of-play.ts'
import { faultInModel } from '../provider-faults.ts'
import type { Step } from '../step.ts'

/** Amount of an explored payment whose step names none, in minor units. */
export const WHOLE = 1000

/** Returns the organization that makes the call of an exploration step. */
export const partyOf = ({ by }: Step): Party => by ?? 'first'

/** Returns the account that an exploration step names; '' where the caller has no other. */
export const accountOf = ({ organizations }: Stage, step: Step): string => {
  const own = organizations[partyOf(step)]
  if (step.account === undefined) return own.account
  if (step.account === 'foreign') return organizations[step.by === undefined ? 'second' : 'first'].account
  return own.merchant.credentials.processingAccountIds.find(id => id !== own.account) ?? ''
}

/**
 * Returns the idempotency key of an exploration step: every other new one is a UUID, as any unique text will do
 * (I2), and each of them until D-18 is confirmed.
 */
export const keyOf = (stage: Stage, { id, key }: Step): string | undefined => {
  if (key === 'none') return undefined
  if (key === 'empty') return ''
  if (key !== undefined && key !== 'new') return stage.sent.get(key)?.key
  return /[02468]$/.test(id) || !rulesOfProfile(stage.profile).isConfirmed('D-18')
    ? randomUUID()
    : stage.valueOf(`key${id}`)
}

/**
 * A function that composes the call of one kind of exploration steps; undefined where the stage does not have what it
 * names.
 */
export type Compose = (
  stage: Stage,
  step: Step,
  account: string,
) => Promise<SentCall | undefined> | SentCall | undefined

/** Returns the call of an exploration step with this body, as it is sent and as the model sees it. */
export const composed = (stage: Stage, step: Step, body: unknown, more: Partial<SentCall['call']>): SentCall => {
  const operation = step.do as SentCall['operation']
  const json = isJsonObject(body) ? withoutUntaken(stage.profile, operation, body) : body
  const key = keyOf(stage, step)
  return {
    ...{ operation, json, key },
    call: {
      ...{ operation, by: partyOf(step), payload: canonicalJson(json), account: '' },
      ...(key === undefined ? {} : { key }),
      ...(step.fault === undefined
        ? {}
        : { fault: faultInModel(step.fault, stage.payments.get(step.on ?? '')?.method ?? step.method ?? 'BLIK') }),
      ...more,
    },
  }
}

/**
 * The broken rule of a call that names an account of another organization (7.1, D-54); a charge may be refused as one
 * without a mandate.
 */
export const FOREIGN_ACCOUNT: BrokenRule = { clause: '7.1', status: [400, 403, 404, 422] }
export const foreignAccount = ({ account }: Step) => (account === 'foreign' ? { broken: FOREIGN_ACCOUNT } : {})

/** Returns the transactionId that an exploration step is about; undefined where it is not known. */
export const idOf = (stage: Stage, { on }: Step): string | undefined =>
  on === 'unknown' ? stage.unknownId : stage.payments.get(on ?? '')?.transactionId
