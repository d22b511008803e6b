import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorBodyProblem, expectServed, signatureErrorOf } from '../support/api-response-checks.ts'
import { createMutatedRequest } from '../support/create-randomly-mutated-request.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { seededRandom } from '../support/seeded-random.ts'

const REQUESTS = 400
const SEED = 1

const STATUSES = [200, 400, 401, 403, 404, 409, 413, 422, 423, 429, 501]

let sandbox: RawSandbox

beforeAll(async () => {
  sandbox = await openRawSandbox()
})

afterAll(() => sandbox.close())

/** What is wrong with the response to one mutated request, or undefined. */
const faultOf = async (said: Buffer): Promise<string | undefined> => {
  try {
    const answer = await sandbox.send(said)
    if (!STATUSES.includes(answer.status)) return `status ${answer.status}`
    const signature = await signatureErrorOf(answer, sandbox.keySet)
    return signature ?? (answer.status === 200 ? undefined : errorBodyProblem(answer))
  } catch (error) {
    return String(error)
  }
}

test(`${REQUESTS} mutated requests from seed ${SEED} on get a valid response`, {
  timeout: 120_000,
}, async () => {
  for (let seed = SEED; seed < SEED + REQUESTS; seed += 1) {
    const said = await createMutatedRequest(seededRandom(seed), sandbox.sign)
    const fault = await faultOf(said)
    expect(fault, `seed ${seed}: ${said.toString('latin1').slice(0, 2_000)}`).toBeUndefined()
  }
  expect(sandbox.faults).toEqual([])
  await expectServed(await sandbox.send(await sandbox.sign({ body: irisInitiateBody() })), sandbox.keySet)
})
