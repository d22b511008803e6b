import { describe, expect, test } from 'vitest'
import { initiated, merchantOf, runningSimulator } from '../support/running.ts'
import { serveReady } from '../support/serve.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LINE = /^Variety (\S+) \(repeat with --variety (\S+)\)$/m

describe('9: who lets answers vary is told by what seed', () => {
  test('at the start, from the environment', async () => {
    const { said } = await serveReady(temporaryFolder(), [], { ASSAY_VARIETY: '4711' })
    expect(said.stdout).toContain('\nVariety 4711 (repeat with --variety 4711)\n')
  })

  test('one by chance as well, another each time', async () => {
    const starts = [await serveReady(temporaryFolder(), ['--variety', 'random'])]
    starts.push(await serveReady(temporaryFolder(), ['--variety', 'random']))
    const seeds = starts.map(({ said }) => LINE.exec(said.stdout)?.slice(1) ?? [])
    for (const [seed, again] of seeds) {
      expect(seed).toMatch(/^[0-9a-f]{8}$/)
      expect(again).toBe(seed)
    }
    expect(seeds[0]).not.toEqual(seeds[1])
  })

  test('by control, on the page at the root, and call by call in the journal', async () => {
    const simulator = await runningSimulator({ variety: 'build-7' })
    expect(await (await fetch(`${simulator.pagesUrl}/control`)).json()).toMatchObject({ variety: 'build-7' })
    expect(await (await fetch(`${simulator.pagesUrl}/`)).text()).toMatch(
      /data-testid="variety"><b>Variety:<\/b> build-7\./,
    )
    await initiated(merchantOf(simulator, { retry: [423, 429] }))
    const entries = simulator.operator.journal(simulator.kit.organizationId, 10)
    expect(entries.length).toBeGreaterThan(0)
    for (const { varied } of entries) expect(Array.isArray(varied)).toBe(true)
  })

  test('and nobody is told of any where there is none', async () => {
    const simulator = await runningSimulator()
    expect(simulator.seed).toBeUndefined()
    expect(await (await fetch(`${simulator.pagesUrl}/control`)).json()).not.toHaveProperty('variety')
    expect(await (await fetch(`${simulator.pagesUrl}/`)).text()).not.toContain('data-testid="variety"')
    await initiated(merchantOf(simulator))
    for (const entry of simulator.operator.journal(simulator.kit.organizationId, 10))
      expect(entry).not.toHaveProperty('varied')
  })
})
