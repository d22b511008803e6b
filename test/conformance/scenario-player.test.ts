import { expect, test } from 'vitest'
import type { Exchange, WireRequest } from '../../contracts/client/http-exchange.ts'
import { StillWaiting, Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import { createScenarioPlayer, type ScenarioLog } from '../../contracts/harness/run/scenario-player.ts'

const to = (path: string): WireRequest => ({ method: 'POST', url: `https://api.example${path}`, headers: {} })
const answered = (request: WireRequest): Exchange => ({
  request,
  response: { status: 200, headers: {}, body: Buffer.from('{}') },
  durationMs: 1,
})
const never = async () => {
  throw new Error('this must not happen again')
}
const inRun = { longest: 600, canPause: true }

const begun = async (): Promise<ScenarioLog> => {
  const player = createScenarioPlayer()
  player.start(inRun)
  await player.call('ours', to('/first'), async () => answered(to('/first')))
  await player.act(() => player.call('ours', to('/poll'), async () => answered(to('/poll'))), undefined)
  await expect(player.wait(7200, undefined, never)).rejects.toThrow(StillWaiting)
  return player.log()
}

test('playing on repeats no call, no act of a shopper with its calls, and no wait that is over', async () => {
  const log = await begun()
  const player = createScenarioPlayer()
  player.start(inRun, { ...log, waits: [0] })
  const first = await player.call('ours', to('/first?other=query'), never)
  expect(first).toBe(log.calls[0]?.exchange)
  expect(await player.act(never, 'over')).toBe('over')
  await player.wait(7200, undefined, never)
  await player.call('ours', to('/later'), async () => answered(to('/later')))
  expect(player.log().calls.map(({ exchange }) => exchange.request.url)).toEqual(
    ['/first', '/poll', '/later'].map(path => `https://api.example${path}`),
  )
})

test('a scenario that makes other calls than when it began is a bug of the suite, and makes no further call', async () => {
  const player = createScenarioPlayer()
  player.start(inRun, await begun())
  const why =
    'call 1 of the scenario was POST https://api.example/first of ours when it began and is POST https://api.example/other of ours now'
  await expect(player.call('ours', to('/other'), never)).rejects.toThrow(why)
  await expect(player.call('ours', to('/poll'), never)).rejects.toThrow(why)
})

test('a scenario that ignores its pause makes no further call', async () => {
  const player = createScenarioPlayer()
  player.start(inRun)
  await player.wait(7200, undefined, never).catch(() => undefined)
  await expect(player.call('ours', to('/later'), never)).rejects.toThrow(StillWaiting)
})

test('a short wait is slept through; a long one is untestable where nothing can be resumed', async () => {
  const player = createScenarioPlayer()
  player.start({ longest: 600, canPause: false })
  const slept: number[] = []
  await player.wait(600, undefined, async seconds => slept.push(seconds))
  expect(slept[0]).toBeCloseTo(600, 0)
  await expect(player.wait(601, undefined, never)).rejects.toThrow(Untestable)
})
