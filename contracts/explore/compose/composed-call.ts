import { randomUUID } from 'node:crypto'
import type { BrokenRule, Party } from '../../model/call.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { faultInModel } from '../provider-faults.ts'
import type { SentCall, Stage } from '../stage.ts'
import type { Step } from '../step.ts'

/** Amount of a payment that names none. */
export const WHOLE = 1000

/** The organization that makes the call of a step. */
export const partyOf = ({ by }: Step): Party => by ?? 'first'

/** The account that a step names; '' where the caller has no other. */
export const accountOf = ({ organizations }: Stage, step: Step): string => {
  const own = organizations[partyOf(step)]
  if (step.account === undefined) return own.account
  if (step.account === 'foreign') return organizations[step.by === undefined ? 'second' : 'first'].account
  return own.merchant.credentials.processingAccountIds.find(id => id !== own.account) ?? ''
}

/** The key of a step: every other new one is a UUID, as any unique text will do (I2). */
export const keyOf = (stage: Stage, { id, key }: Step): string | undefined => {
  if (key === 'none') return undefined
  if (key === 'empty') return ''
  if (key !== undefined && key !== 'new') return stage.sent.get(key)?.key
  return /[02468]$/.test(id) ? randomUUID() : stage.valueOf(`key${id}`)
}

/** Composes the call of one kind of steps; undefined where the stage does not have what it names. */
export type Compose = (
  stage: Stage,
  step: Step,
  account: string,
) => Promise<SentCall | undefined> | SentCall | undefined

/** A call with the body of a step, as it is sent and as the model sees it. */
export const composed = (stage: Stage, step: Step, json: unknown, more: Partial<SentCall['call']>): SentCall => {
  const operation = step.do as SentCall['operation']
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

/** An account of another organization is refused (7.1, D-54); a charge also as one without a mandate. */
export const FOREIGN_ACCOUNT: BrokenRule = { clause: '7.1', status: [400, 403, 404, 422] }
export const foreignAccount = ({ account }: Step) => (account === 'foreign' ? { broken: FOREIGN_ACCOUNT } : {})

/** The transactionId that a step is about; undefined where it is not known. */
export const idOf = (stage: Stage, { on }: Step): string | undefined =>
  on === 'unknown' ? stage.unknownId : stage.payments.get(on ?? '')?.transactionId
