import { ok } from 'node:assert'
import { NoResponse } from '../../contracts/client/call-errors.ts'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { abilitiesOf } from '../../contracts/explore/abilities.ts'
import type { Target } from '../../contracts/explore/explore.ts'
import { withMemberAt } from '../../contracts/explore/members-that-repeated-calls-change.ts'
import { rulesOfProfile } from '../../contracts/explore/model-rules-of-profile.ts'
import { durationSeconds } from '../../contracts/harness/profile/parse-and-format-iso-duration.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { createFaultRegistry } from '../../simulator/scenarios/armed-fault-registry.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { type CallResult, openCoreIn, type SimulatorCore } from '../support/simulator-core.ts'
import { createStoreWatch } from './watch-store.ts'

/**
 * Settlement delay of the simulator in explorations in one process and in simulations, in milliseconds (R4): the
 * shortest time that their sequences let pass.
 */
export const SETTLES_AFTER_MS = 6000

/**
 * Opens the simulator's operations and store without HTTP, to explore them in one process on a clock that stands still
 * between steps.
 */
export const openExploredCore = (folder: string): Promise<SimulatorCore> =>
  openCoreIn(folder, { settleAfter: SETTLES_AFTER_MS })

/** Part of a test simulator's core, operations and store without HTTP, that explorations in one process use. */
export type ExploredCore = Pick<SimulatorCore, 'call' | 'code' | 'decide' | 'store' | 'jobs'> & {
  clock: Pick<SimulatorCore['clock'], 'now'>
  control: { advance(organizationId: string, milliseconds: number): Promise<unknown> }
  pass(milliseconds: number): Promise<void> | void
}

/** Creates the target by which two organizations are explored in one process, without HTTP; a call may throw NoResponse. */
export const createCoreTarget = (
  core: ExploredCore,
  [first, second]: readonly [string, string] = ['shop', 'other'],
): Target => {
  const profile = readProfile(SIMULATOR_PROFILE)
  return {
    profile,
    rules: { ...rulesOfProfile(profile), settlesAfter: SETTLES_AFTER_MS, settledWithin: SETTLES_AFTER_MS },
    abilities: { ...abilitiesOf(profile, 2), wrongArguments: false },
    organizations: async () => ({
      first: organizationOf(core, first, SCALES.first),
      second: organizationOf(core, second, SCALES.second),
    }),
  }
}

type Requested = { json?: object; path?: { transactionId: string }; idempotencyKey?: string }

const organizationOf = (core: ExploredCore, organizationId: string, scale: number): TestOrganization => {
  const faults = createFaultRegistry(core)
  const watched = createStoreWatch(core, organizationId)
  let passed = 0
  const organization = {
    account: `${organizationId}-account-1`,
    merchant: {
      credentials: { processingAccountIds: [`${organizationId}-account-1`, `${organizationId}-account-2`] },
      tokenForm: () => ({}),
      request: async (operation: string, { json, path, idempotencyKey }: Requested): Promise<Exchange> => {
        if (operation === 'token') return exchangeOf(operation, 200, '{"access_token":"none"}')
        const key = idempotencyKey === undefined ? {} : { key: idempotencyKey }
        const request = scaled(json ?? path ?? {}, scale)
        const name = `${operation} ${idempotencyKey} ${JSON.stringify(request)}`
        try {
          const call = () => core.call(operation, request, { ...key, organizationId })
          const { http, text } = await watched(name, request, call)
          return exchangeOf(operation, http, JSON.stringify(scaled(JSON.parse(text || '{}'), 1 / scale)))
        } catch (error) {
          if (error instanceof NoResponse) return error.exchange
          throw error
        }
      },
    },
    shopper: { prepare: async (json: object) => withMemberAt(json, CODE, await core.code(organizationId)) },
    control: {
      oneTimeCode: () => core.code(organizationId),
      arm: (fault: object) => faults.arm(organizationId, fault),
      tryShopper: async (transactionId: string, action: 'approve' | 'decline') => {
        const { http } = await core.decide(transactionId, action, organizationId)
        ok([200, 422].includes(http), `the shopper was answered with ${http}`)
      },
    },
    clock: {
      now: () => core.clock.now(organizationId),
      /** Time passes as jobs run when it is moved, or with the next call; every other time it is a millisecond less. */
      pass: async (duration: string) => {
        passed += 1
        const milliseconds = durationSeconds(duration) * 1000 - (passed % 2 === 0 ? 1 : 0)
        if (passed % 4 > 1) await core.control.advance(organizationId, milliseconds)
        else if (scale === SCALES.first) await core.pass(milliseconds)
      },
    },
  }
  return organization as unknown as TestOrganization
}

/** One organization has small sums, the other has them up to the largest (2.2). */
const SCALES = { first: 1, second: 99_999_999 } as const

const scaled = <Value>(json: Value, scale: number): Value =>
  JSON.parse(JSON.stringify(json), (name, value) =>
    typeof value === 'number' && /amount$/i.test(name) ? Math.round(value * scale) : value,
  )

const CODE = 'payerDetails.oneTimeCode'

const exchangeOf = (endpoint: string, status: CallResult['http'], text: string): Exchange => ({
  request: { method: 'POST', url: '', headers: {}, endpoint: endpoint as NonNullable<Exchange['request']['endpoint']> },
  response: { status, headers: {}, body: Buffer.from(text) },
  durationMs: 0,
})
