import { expect, test } from 'vitest'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import type { Mutation } from './mutants/mutant.ts'
import { bodyTextOf, isCallTo, requestHeader, withFreshState } from './mutants/mutations-of-matching-calls.ts'
import { mutateReply } from './mutants/simulator-mutations.ts'
import { idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

const STALE = '{"status":"DECLINED","statusInfo":{"reasonCode":"4061"}}'

/** Fails over an amount of 0, and is so slow that a signature which comes again has grown too old by then. */
const failingSlowly = withFreshState((): Mutation => {
  const seen = new Set<string>()
  return mutateReply((reply, call) => {
    const signature = requestHeader(call, 'signature')
    const isOld = seen.has(signature)
    seen.add(signature)
    if (isOld) return { http: 401, body: STALE }
    const isMeant = reply.http === 400 && isCallTo('/payments/initiate')(call)
    return isMeant && /"amount":0\b/.test(bodyTextOf(call)) ? { ...reply, http: 500 } : undefined
  })
})

test(
  '7.1: a call that drew a 500 is signed anew, so that an old signature hides no failure',
  async () => {
    const hits = { count: 0 }
    const simulator = await startTestSimulator({}, dataDir => failingSlowly(dataDir, hits))
    try {
      const results = await runSuites(simulatorProfileAt(simulator), ['VAL-10', 'ERR-21'])
      expect(idsWithVerdict(results, 'fail')).toContain('ERR-21')
      expect(hits.count).toBeGreaterThan(0)
    } finally {
      await simulator.stop()
    }
  },
  RUN_TIMEOUT,
)
