import { NoResponse } from '../../contracts/client/call-errors.ts'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { OPERATIONS, type OperationName } from '../../contracts/operations.ts'
import { ROUTES } from '../../simulator/http/routes.ts'
import type { OperationCall } from '../../simulator/operations/operation-types.ts'
import type { Store } from '../../simulator/store/store.ts'
import { Refusal, refusalReply } from '../../simulator/support/refusal.ts'
import type { ExploredCore } from '../explore/in-process-exploration-target.ts'
import type { CallResult } from '../support/simulator-core.ts'
import { Crashed, isDiskFull, type SimulatedMachine } from './simulated-machine.ts'
import type { SimulatedSandbox } from './simulated-sandbox.ts'
import { turns } from './virtual-time.ts'

/** What the network does to a call of a shop. */
type Fate = 'carried' | 'slow' | 'cut' | 'response lost'

// biome-ignore format: a table reads by its columns
const FATES: readonly (readonly [weight: number, fate: Fate])[] = [
  [120, 'carried'], [24, 'slow'], [2, 'cut'], [3, 'response lost'],
]
const DRAWN = FATES.flatMap(([weight, fate]) => Array.from({ length: weight }, () => fate))
const SLOWEST_TURNS = 60
/** From here on time passes mostly on the clocks of organizations, or while the machine sleeps: its timers fire each minute. */
const LONG_MS = 3_600_000
/** Longer times pass on the clocks of organizations alone. */
const LONGEST_MS = 25 * LONG_MS

/**
 * Error of a sequence of calls in a simulation that can no longer be judged, as a power cut has undone a part of it
 * (D-112).
 */
export class Undone extends Error {}

/**
 * Creates the simulated shops and shoppers that use the sandbox on a simulated machine: their calls may get no
 * response, every other act is repeated until it is done.
 */
export const createShopsOfMachine = (machine: SimulatedMachine, names: readonly string[], isUndone: () => boolean) => {
  const { random, time } = machine
  const unlessUndone =
    <Result>(act: (sandbox: SimulatedSandbox) => Promise<Result>) =>
    async (sandbox: SimulatedSandbox): Promise<Result> => {
      if (isUndone()) throw new Undone('A power cut has undone a part of the sequence.')
      return act(sandbox)
    }
  const attempt: SimulatedMachine['attempt'] = act => machine.attempt(unlessUndone(act))
  const insist: SimulatedMachine['insist'] = act => machine.insist(unlessUndone(act))
  const made = { calls: 0, unanswered: 0 }

  const execute = async (
    sandbox: SimulatedSandbox,
    operation: string,
    request: object,
    key: string | undefined,
    organizationId: string,
  ): Promise<CallResult> => {
    const route = ROUTES.find(known => known.operation === operation)
    if (!route) throw new Error(`There is no operation ${operation}.`)
    const organization = await sandbox.store.organization(organizationId)
    const described = {
      organizationId,
      accountIds: organization?.accountIds,
      capabilities: organization?.capabilities,
      operation,
      request,
      key: route.keyed ? key : undefined,
      callId: sandbox.ids.uuid(),
      pagesUrl: 'http://pages.example',
    } as OperationCall
    try {
      const { http, body, contentType, replayed } = await sandbox.execute(described, route.definition)
      return { http, body: contentType === undefined ? JSON.parse(body || '{}') : body, text: body, replayed }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { http, body: text } = refusalReply(error, 'none', decisionChoices())
      return { http, body: JSON.parse(text), text, replayed: false }
    }
  }
  const noResponse = (operation: string): never => {
    made.unanswered += 1
    const request = { method: 'POST', url: '', headers: {}, endpoint: operation as OperationName }
    throw new NoResponse({ request, durationMs: 0 })
  }
  /** A call that fails as the disk is full is made again under its key; so is a read, which may show what was due before. */
  const untilRoom = async (operation: string, work: () => Promise<CallResult>): Promise<CallResult> => {
    const isKeyed = OPERATIONS[operation as OperationName].keyed
    for (;;) {
      const before = machine.fullDisks()
      const isFull = machine.isFull()
      try {
        const result = await work()
        if (isKeyed || (!isFull && before === machine.fullDisks())) return result
      } catch (error) {
        if (!isDiskFull(error)) throw error
      }
      await turns(8)
    }
  }
  const wait = async (): Promise<void> => {
    await machine.up()
    if (isUndone()) throw new Undone('A power cut has undone a part of the sequence.')
  }

  const call: ExploredCore['call'] = async (operation, request, { key, organizationId = '' } = {}) => {
    await wait()
    made.calls += 1
    const fate = random.pick(DRAWN)
    if (fate === 'cut') return noResponse(operation)
    if (fate === 'slow') await turns(random.below(SLOWEST_TURNS))
    try {
      const result = await untilRoom(operation, () =>
        attempt(sandbox => execute(sandbox, operation, request, key, organizationId)),
      )
      return fate === 'response lost' ? noResponse(operation) : result
    } catch (error) {
      if (error instanceof Crashed) return noResponse(operation)
      throw error
    }
  }

  /** Arms a fault once, also where the machine crashes before it says so. */
  const addFault: Store['addFault'] = async (organizationId, fault) => {
    const armed = () => insist(({ store }) => store.faults(organizationId))
    const before = await armed()
    for (;;)
      try {
        return await attempt(({ store }) => store.addFault(organizationId, fault))
      } catch (error) {
        if (!(error instanceof Crashed) && !isDiskFull(error)) throw error
        const known = (await armed()).find(({ faultId }) => before.every(other => other.faultId !== faultId))
        if (known) return known
      }
  }
  /** Moves an organization's clock ahead of real time by a duration, in as many advances as crashes need. */
  const advance = async (organizationId: string, milliseconds: number): Promise<void> => {
    await wait()
    const ahead = () => machine.clock().now(organizationId) - time.now()
    const wanted = ahead() + milliseconds
    for (let missing = milliseconds; missing > 0; missing = wanted - ahead()) {
      const step = missing
      try {
        await attempt(({ controlPlane }) => controlPlane.clock.advance(organizationId, step))
      } catch (error) {
        // What failed may have moved the clock: the next advance is by what is missing then.
        if (!(error instanceof Crashed) && !isDiskFull(error)) throw error
        await turns(8)
      }
      await wait()
    }
  }
  const decide: ExploredCore['decide'] = async (transactionId, action, organizationId = '') => {
    await wait()
    return insist(async ({ controlPlane }) => {
      try {
        const body = await controlPlane.shopper.act(organizationId, transactionId, action)
        return { http: 200, body, text: '', replayed: false }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { http: error.row.http, body: {}, text: '', replayed: false }
      }
    })
  }
  /** Long times pass for the two organizations alone, for a machine that sleeps, or for one that is awake. */
  const pass = async (milliseconds: number): Promise<void> => {
    await wait()
    const way = milliseconds < LONG_MS ? 0 : random.below(16)
    if (way > 3 || milliseconds > LONGEST_MS) await Promise.all(names.map(name => advance(name, milliseconds)))
    else await (way > 0 ? time.sleep(milliseconds) : time.pass(milliseconds))
    await wait()
  }
  const core = {
    call,
    decide,
    code: async (organizationId = '') => {
      await wait()
      return (await insist(({ controlPlane }) => controlPlane.shopper.createCode(organizationId))).code
    },
    clock: { now: (organizationId: string) => machine.clock().now(organizationId) },
    control: { advance },
    pass,
    jobs: { runDue: (organizationId: string) => insist(({ jobs }) => jobs.runDue(organizationId)) },
    store: {
      addFault,
      faults: (organizationId: string) => insist(({ store }) => store.faults(organizationId)),
      transact: (unit: Parameters<Store['transact']>[0]) => insist(({ store }) => store.transact(unit)),
    },
  }
  return { core: core as unknown as ExploredCore, made }
}
