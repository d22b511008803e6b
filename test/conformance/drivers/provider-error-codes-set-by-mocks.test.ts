import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { describeResultsExcept, idsWithVerdict } from '../run-suites.ts'
import { certifyStandIn } from '../stand-in/certify-stand-in.ts'
import { certifyWithoutControl } from './certify-without-control.ts'

const CHECKS = ['MAP']
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

test('without control the check names the line by which a mock tells the code', async () => {
  const told = await certifyWithoutControl(simulator, {}, ['MAP-01'])
  expect(told['MAP-01']).toMatch(
    /^untestable: nothing gives it a provider that answers with a code of 7\.5: .* the line mocks\.providerCode: /,
  )
})

test('a place that mock/set does not know is no fail, and the line is named', async () => {
  const told = await certifyWithoutControl(simulator, { mocks: { providerCode: '/steps/initiate/code' } }, ['MAP-01'])
  expect(told['MAP-01']).toMatch(/^blocked: a mock with the code 3001 was refused: is mocks\.providerCode of /)
})

test('a place where mock/set takes no code is no fail, and the line is named', async () => {
  const lines = { mocks: { providerCode: '/steps/initiate/qrCode' }, patience: 'PT3S' }
  const told = await certifyWithoutControl(simulator, lines, ['MAP-01'])
  expect(told['MAP-01']).toMatch(
    /^untestable: the payment went on as if there were no code: does mocks\.providerCode of /,
  )
})

test('by mocks every code of both providers is judged', async () => {
  const { results } = await certifyStandIn({}, CHECKS)
  expect(describeResultsExcept(results, 'pass', 'not applicable')).toEqual([])
  expect(idsWithVerdict(results, 'pass').filter(id => id.startsWith('MAP-'))).toHaveLength(16)
  expect(idsWithVerdict(results, 'not applicable')).toEqual(['MAP-17', 'MAP-18', 'MAP-19', 'MAP-20', 'MAP-21'])
})

test('by mocks a code that comes as another reasonCode is a fail', async () => {
  const { results, hits } = await certifyStandIn({ violations: ['wrong-mapping-of-iris-dmsp1120'] }, CHECKS)
  expect(idsWithVerdict(results, 'fail')).toEqual(['MAP-11'])
  expect(hits).toBeGreaterThan(0)
})
