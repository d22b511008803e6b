import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { organizationControl } from '../../support/control-client.ts'
import { startCertifyProcess } from '../run-certify-child-process.ts'
import { NO_MOCKS, writeProfileWithoutControl } from './certify-without-control.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

type Person = { type(line: string): void; leave(): void; organization: ReturnType<typeof organizationControl> }

/** Judges LIF-02 in a process of its own; `answer` is called with each line that it tells its person. */
const judgeWith = async (more: object, answer: (told: string, person: Person) => unknown) => {
  const file = writeProfileWithoutControl(simulator, { ...NO_MOCKS, shopper: { ask: true }, ...more })
  const { child, told } = startCertifyProcess('run', '--profile', file, '--only', 'LIF-02', '--json')
  const person = {
    type: (line: string) => child.stdin?.write(`${line}\n`),
    leave: () => child.stdin?.end(),
    organization: organizationControl(simulator),
  }
  child.stderr?.on('data', text => {
    for (const line of String(text).split(/\n|(?<=: )$/)) if (line !== '') answer(line, person)
  })
  const { out, err } = await told
  const { checks } = JSON.parse(out) as { checks: { id: string; verdict: string; reason?: string }[] }
  return { result: checks.find(({ id }) => id === 'LIF-02'), err }
}

/** Answers as a tester with a phone does: types a code, and approves in the bank app. */
const answerDutifully = async (told: string, { type, organization }: Person): Promise<void> => {
  if (told.startsWith('Type a new BLIK code')) type((await organization.post('blik/codes', {})).body.code)
  const [, transactionId] = /^Approve payment (\S+) in the bank app within two minutes/.exec(told) ?? []
  if (transactionId === undefined) return
  await organization.post(`payments/${transactionId}/shopper`, { action: 'approve' })
  if (/press Enter/.test(told)) type('')
}

test('a person types the code and approves; the state of the payment says when', async () => {
  const { result, err } = await judgeWith({}, answerDutifully)
  expect({ ...result, err }).toMatchObject({ verdict: 'pass', err: expect.not.stringMatching(/then press Enter/) })
})

test('where the profile does not name the waiting state, the person says by Enter when it is done, and the outcome has its time', async () => {
  const states = { authorized: ['AUTHORIZED'], captured: ['CAPTURED'], settled: ['SETTLED'] }
  const begun = performance.now()
  const { result, err } = await judgeWith({ states, shopper: { ask: true, withinSeconds: 2 } }, answerDutifully)
  expect({ ...result, err }).toMatchObject({ verdict: 'pass', err: expect.stringMatching(/then press Enter/) })
  expect(performance.now() - begun).toBeGreaterThan(2000)
})

test('at the end of the input the checks are untestable, and say what is missing', async () => {
  const { result } = await judgeWith({}, (_told, { leave }) => leave())
  expect(result).toMatchObject({
    verdict: 'untestable',
    reason: 'shopper.ask needs a person and the input has ended: run it in a terminal',
  })
})
