import { describe, expect, test } from 'vitest'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const LINE = /^Variety (\S+) \(repeat with --variety (\S+)\)$/m

describe('9: the seed of --variety is reported', () => {
  test('at the start, also from the environment', async () => {
    const { said } = await startServe(temporaryFolder(), [], { ASSAY_VARIETY: '4711' })
    expect(said.stdout).toContain('\nVariety 4711 (repeat with --variety 4711)\n')
  })

  test('also when random, with a new seed at each start', async () => {
    const starts = [await startServe(temporaryFolder(), ['--variety', 'random'])]
    starts.push(await startServe(temporaryFolder(), ['--variety', 'random']))
    const seeds = starts.map(({ said }) => LINE.exec(said.stdout)?.slice(1) ?? [])
    for (const [seed, again] of seeds) {
      expect(seed).toMatch(/^[0-9a-f]{8}$/)
      expect(again).toBe(seed)
    }
    expect(seeds[0]).not.toEqual(seeds[1])
  })

  test('by control and on the root page, and the journal lists the variations of each call', async () => {
    const simulator = await startScopedSimulator({ variety: 'build-7' })
    expect(await (await fetch(`${simulator.pagesUrl}/control`)).json()).toMatchObject({ variety: 'build-7' })
    expect(await (await fetch(`${simulator.pagesUrl}/`)).text()).toMatch(
      /data-testid="variety"><b>Variety:<\/b> build-7\./,
    )
    await initiateIris(merchantOf(simulator, { retry: [423, 429] }))
    const entries = simulator.controlPlane.journal.latest(simulator.kit.organizationId, 10)
    expect(entries.length).toBeGreaterThan(0)
    for (const { varied } of entries) expect(Array.isArray(varied)).toBe(true)
  })

  test('nowhere when there is no seed', async () => {
    const simulator = await startScopedSimulator()
    expect(simulator.seed).toBeUndefined()
    expect(await (await fetch(`${simulator.pagesUrl}/control`)).json()).not.toHaveProperty('variety')
    expect(await (await fetch(`${simulator.pagesUrl}/`)).text()).not.toContain('data-testid="variety"')
    await initiateIris(merchantOf(simulator))
    for (const entry of simulator.controlPlane.journal.latest(simulator.kit.organizationId, 10))
      expect(entry).not.toHaveProperty('varied')
  })
})
