import { expect } from 'vitest'
import { type CallResult, SHOP, type SimulatorCore } from '../support/simulator-core.ts'
import {
  type BlikCodeModel,
  createShopModel,
  expectedStatus,
  isKeyRemembered,
  type KeyedCall,
  type ModelCall,
} from './shop-model.ts'

/** A simulator and its model, with all calls and BLIK codes so far. */
export type ModelRun = ReturnType<typeof newModelRun>
/** Result of a step: HTTP status, the status that the model expects, and the payment that may change. */
export type StepResult = { http: number; expected: number; target?: string | undefined; replayed?: boolean }

export const newModelRun = (core: SimulatorCore) => ({
  core,
  shop: createShopModel(),
  keyed: [] as KeyedCall[],
  codes: [] as BlikCodeModel[],
})
export const nowIn = ({ core }: ModelRun): number => core.clock.now(SHOP)

/** Sends a call under its Idempotency-Key, with the status that the model expects; a replay must repeat the response. */
export const sendUnderKey = async (run: ModelRun, keyed: KeyedCall): Promise<StepResult> => {
  const { core, shop } = run
  const known = isKeyRemembered(keyed, nowIn(run))
  const expected = expectedStatus(shop, keyed, nowIn(run))
  const { operation } = keyed.call
  const response = await core.call(operation, keyed.request, { key: keyed.key })
  expect(response.replayed).toBe(known)
  if (known) expect(response.text).toBe(keyed.remembers?.text ?? response.text)
  if (keyed.remembers && (known || response.http === keyed.remembers.http)) keyed.remembers.text = response.text
  return { http: response.http, expected, replayed: known, target: known ? undefined : targetOf(keyed, response) }
}

/** Name of the payment that a call may change; undefined where the call is refused. */
const targetOf = ({ call, remembers }: KeyedCall, { http }: CallResult): string | undefined => {
  const done = http === 200 || (http === 504 && remembers)
  return done ? ('on' in call ? call.on.name : call.name) : undefined
}

export const sendUnderNewKey = (run: ModelRun, call: ModelCall, request: object): Promise<StepResult> => {
  const keyed = { key: `key ${run.keyed.length}`, call, request: { ...request, clientTransactionId: call.name } }
  run.keyed.push(keyed)
  return sendUnderKey(run, keyed)
}
