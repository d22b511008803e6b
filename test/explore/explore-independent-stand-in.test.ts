import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { TokenRefused } from '../../contracts/client/call-errors.ts'
import type { Transport } from '../../contracts/client/transport.ts'
import { type Explored, explore } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { findingText } from '../../contracts/explore/tell/finding-text.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { type StandInChoice, withStandIn } from '../conformance/stand-in/certify-stand-in.ts'

const LIMIT = 300_000

/** Explores a stand-in, a server without control that shares no code with the simulator; returns the violations in words as well. */
const exploreStandIn = (choice: StandInChoice, { seed, calls }: { seed: number; calls: number }) =>
  withStandIn(choice, async (file): Promise<Explored & { told: string[] }> => {
    const context = createCheckContext(readProfile(file), 3)
    try {
      const explored = await explore(openTarget(context), { seed, calls })
      return { ...explored, told: explored.findings.map(found => findingText({ ...found, shown: 1, replays: 1 })) }
    } finally {
      context.close()
    }
  })

/** Lawful variants in which the model of our own simulator saw violations, or might. */
test.each<[seed: number, variants: string[]]>([
  [1, []],
  [
    2,
    ['racing-replay-conflicts', 'attempts-in-events', 'refusals-kept', 'unknown-members-refused', 'declines-in-body'],
  ],
])(
  'a stranger that keeps the rules draws no violation: seed %i, %j',
  async (seed, variants) => {
    const { told, calls, coverage } = await exploreStandIn({ variants }, { seed, calls: 150 })
    expect(told).toEqual([])
    expect(calls).toBeGreaterThanOrEqual(150)
    expect(coverage.transitions.size).toBeGreaterThan(9)
  },
  LIMIT,
)

test(
  'a stranger that serves a changed payload under a used key draws a violation',
  async () => {
    const { findings } = await exploreStandIn(
      { violations: ['changed-payload-served-on-finalize'] },
      { seed: 7, calls: 1500 },
    )
    expect(findings[0]?.play.violation?.clauses).toContain('I4')
  },
  LIMIT,
)

test('a token that the service withholds ends the exploration, and is asked for again by the next one', () =>
  withStandIn({}, async file => {
    let left = 3
    const busy = (direct: Transport): Transport => ({
      ...direct,
      exchange: async (request, connection) => {
        const exchange = await direct.exchange(request, connection)
        if (request.endpoint !== 'token' || left === 0) return exchange
        left -= 1
        return { ...exchange, response: { status: 429, headers: { 'retry-after': '0' }, body: Buffer.of() } }
      },
    })
    const context = createCheckContext(readProfile(file), 3, { transport: busy })
    try {
      const target = openTarget(context)
      await expect(explore(target, { seed: 1, calls: 10 })).rejects.toThrow(TokenRefused)
      expect((await explore(target, { seed: 1, calls: 10 })).findings).toEqual([])
    } finally {
      context.close()
    }
  }))

test('a wrong signing key is no violation of the service: the cure is told', () =>
  withStandIn({}, async file => {
    const { expiredKey, ...lines } = parse(readFileSync(file, 'utf8'))
    lines.organization.signingKeys[0].privateKey = expiredKey.privateKey
    writeFileSync(file, stringify(lines))
    const explored = await runCertifyInProcess('explore', '--profile', file, '--calls', '10')
    expect(explored).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(
        /the service answered POST .* with HTTP 401.*: correct organization, first its cert.*\n$/,
      ),
    })
  }))

test('a shopper whom the command of the profile does not bring is told, with where to look', () =>
  withStandIn({}, async file => {
    const { shopper: _, ...lines } = parse(readFileSync(file, 'utf8'))
    writeFileSync(
      file,
      stringify({
        ...lines,
        shopper: { command: 'exit 1' },
        capabilities: { ...lines.capabilities, methods: ['IRIS'] },
      }),
    )
    const { code, out } = await runCertifyInProcess('explore', '--profile', file, '--calls', '30')
    expect(code).toBe(0)
    expect(out).toMatch(/ shoppers? did not approve by the driver of the profile: "assay certify run" tells why\.\n$/)
  }))
