import { type HeapProfiler, Session } from 'node:inspector/promises'
import { expect, onTestFinished, test } from 'vitest'
import { irisOf, merchantOf, runningSimulator } from '../support/running.ts'

const CALLS = 400
/** Where Node makes the two objects of every request that a server hears. */
const MAKES_THEM = 'parserOnIncoming'

test('what a call leaves behind dies young: nothing hands it on to the old generation', async () => {
  const simulator = await runningSimulator()
  const merchant = merchantOf(simulator)
  const pay = async () =>
    expect((await merchant.request('initiate', { json: irisOf(merchant) })).answer?.status).toBe(200)
  await pay()
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())
  const wish = { samplingInterval: 1024, includeObjectsCollectedByMajorGC: true }
  const madeBy = async (includeObjectsCollectedByMinorGC: boolean): Promise<number> => {
    await session.post('HeapProfiler.startSampling', { ...wish, includeObjectsCollectedByMinorGC })
    for (let call = 0; call < CALLS; call += 1) await pay()
    const { profile } = await session.post('HeapProfiler.stopSampling')
    return bytesMade(profile.head)
  }
  const made = await madeBy(true)
  expect(made).toBeGreaterThan(0)
  expect((await madeBy(false)) / made).toBeLessThan(0.6)
})

const bytesMade = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  (callFrame.functionName === MAKES_THEM ? selfSize : 0) + children.reduce((sum, child) => sum + bytesMade(child), 0)
