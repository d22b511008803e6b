import { expect, onTestFinished, test, vi } from 'vitest'
import type { Exchange, WireRequest } from '../../contracts/client/http-exchange.ts'
import { StillWaiting, Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import { createScenarioPlayer, type ScenarioLog } from '../../contracts/harness/run/resumable-scenario-player.ts'
import { readUntil } from '../../contracts/suites/given/read-until.ts'

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
const HOUR = 3_600_000
/** Lets hours pass from the time that a scenario reads. */
const passHours = (player: ReturnType<typeof createScenarioPlayer>, hours: number, sleep = never) =>
  player.wait(player.now() + hours * HOUR, undefined, sleep)

const begun = async (): Promise<ScenarioLog> => {
  const player = createScenarioPlayer()
  player.start(inRun)
  await player.call('ours', to('/first'), async () => answered(to('/first')))
  await player.act(() => player.call('ours', to('/poll'), async () => answered(to('/poll'))), undefined)
  await expect(passHours(player, 2)).rejects.toThrow(StillWaiting)
  return player.log()
}

test('playing on repeats no call, no act of a shopper with its calls, and no wait that is over', async () => {
  const log = await begun()
  const player = createScenarioPlayer()
  player.start(inRun, { ...log, times: [0] })
  const first = await player.call('ours', to('/first?other=query'), never)
  expect(first).toBe(log.calls[0]?.exchange)
  expect(await player.act(never, 'over')).toBe('over')
  await passHours(player, 2)
  await player.call('ours', to('/later'), async () => answered(to('/later')))
  expect(player.log().calls.map(({ exchange }) => exchange.request.url)).toEqual(
    ['/first', '/poll', '/later'].map(path => `https://api.example${path}`),
  )
})

test('times read before are read again, and a pause between two reads of the log takes no time', async () => {
  const player = createScenarioPlayer()
  player.start(inRun, { ...(await begun()), times: [1, 2] })
  await player.pause(never)
  expect([player.now(), player.now()]).toEqual([1, 2])
  expect(player.now()).toBeGreaterThan(2)
  expect(player.log().times).toHaveLength(3)
})

test('a read that was repeated until its time was over is repeated as often, without its pauses', async () => {
  const player = createScenarioPlayer()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let pauses = 0
  const later = async () => {
    pauses += 1
    vi.setSystemTime(Date.now() + 1000)
  }
  const read = (send: () => Promise<Exchange>) => () => player.call('ours', to('/status'), send)
  const clock = { now: player.now, pause: () => player.pause(later) }
  const poll = (send: () => Promise<Exchange>) => readUntil({}, read(send), () => false, { withinSeconds: 3, clock })
  player.start(inRun)
  await poll(async () => answered(to('/status')))
  expect(pauses).toBe(3)
  const { calls, times } = player.log()
  player.start(inRun, { calls: [...calls], times: [...times], acts: [], missed: [] })
  await poll(never)
  expect(player.log()).toEqual({ calls, times, acts: [], missed: [] })
  expect(pauses).toBe(3)
})

test('an act of a shopper that failed fails again, and is not repeated', async () => {
  const player = createScenarioPlayer()
  player.start(inRun)
  const fail = async () => {
    await player.call('ours', to('/poll'), async () => answered(to('/poll')))
    throw new Error('nobody came')
  }
  await expect(player.act(fail, undefined)).rejects.toThrow('nobody came')
  player.start(inRun, player.log())
  await expect(player.act(never, undefined)).rejects.toThrow('nobody came')
  await player.call('ours', to('/later'), async () => answered(to('/later')))
  expect(player.log().calls).toHaveLength(2)
})

test('what was missed stays missed, and the scenario goes on without it', async () => {
  const player = createScenarioPlayer()
  player.start(inRun)
  const look = async () => {
    await expect(player.wait(1, 2, never)).rejects.toThrow('it had to be looked at by 1970-01-01T00:00:00.002Z')
    return player.call('ours', to('/next'), async () => answered(to('/next')))
  }
  const exchange = await look()
  player.start(inRun, player.log())
  expect(await look()).toBe(exchange)
  expect(player.log()).toMatchObject({ calls: [{ exchange }], missed: [0] })
})

test('a call that is not made ends the scenario, so that its log has no gap', async () => {
  const player = createScenarioPlayer()
  player.start(inRun)
  await expect(player.call('ours', to('/first'), never)).rejects.toThrow('must not happen')
  await expect(player.call('ours', to('/later'), async () => answered(to('/later')))).rejects.toThrow('must not happen')
  expect(player.log()).toEqual({ calls: [], times: [], acts: [], missed: [] })
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
  await passHours(player, 2).catch(() => undefined)
  await expect(player.call('ours', to('/later'), never)).rejects.toThrow(StillWaiting)
})

test('a short wait is slept through; a long one is untestable where nothing can be resumed', async () => {
  const player = createScenarioPlayer()
  player.start({ longest: 600, canPause: false })
  let slept = 0
  await player.wait(Date.now() + 600_000, undefined, async () => {
    slept += 1
  })
  expect(slept).toBe(1)
  await expect(player.wait(Date.now() + 700_000, undefined, never)).rejects.toThrow(Untestable)
})
