import { afterAll, beforeAll, expect, test } from 'vitest'
import { envelopeFaultOf, expectServed, signatureFaultOf } from './judge.ts'
import { createChance } from './mutate.ts'
import { irisPayment, openSandbox, type Sandbox } from './sandbox.ts'
import { spoilt } from './spoil.ts'

// More of it: FUZZ_REQUESTS=20000 npx vitest run test/wire/fuzz. A finding names its seed: FUZZ_SEED=… repeats it.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 400)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

const STATUSES = [200, 400, 401, 403, 404, 409, 413, 422, 423, 429, 501]

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await openSandbox()
})

afterAll(() => sandbox.close())

/** What is wrong with the answer to one spoilt request, or undefined. */
const faultOf = async (said: Buffer): Promise<string | undefined> => {
  try {
    const answer = await sandbox.send(said)
    if (!STATUSES.includes(answer.status)) return `status ${answer.status}`
    const signature = await signatureFaultOf(answer, sandbox.keySet)
    return signature ?? (answer.status === 200 ? undefined : envelopeFaultOf(answer))
  } catch (error) {
    return String(error)
  }
}

test(`${REQUESTS} requests that are wrong at a place or two from seed ${SEED} on`, {
  timeout: 30_000 + REQUESTS * 20,
}, async () => {
  for (let seed = SEED; seed < SEED + REQUESTS; seed += 1) {
    const said = await spoilt(createChance(seed), sandbox.sign)
    const fault = await faultOf(said)
    expect(fault, `seed ${seed}: ${said.toString('latin1').slice(0, 2_000)}`).toBeUndefined()
  }
  expect(sandbox.faults).toEqual([])
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisPayment() })), sandbox.keySet)
})
