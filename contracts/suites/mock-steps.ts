import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { on } from './acts.ts'
import { blikPayment } from './bodies.ts'
import { transactionIdOf } from './given.ts'
import { isMocked, isSet, isUsual, marked, mockOf, overriding, pay, set, unique, WITH_MARKS } from './mock.ts'
import { type Scene, staging } from './scene.ts'
import { NEEDS } from './stages.ts'
import type { World } from './world.ts'

const MARK = 'mark-of-initiate'
const FINALIZE_MARK = 'mark-of-finalize'

/** Two payments of a payer whose mock says this about oneTime. */
const twice =
  (oneTime: boolean | undefined): Scene['play'] =>
  async (world, keep) => {
    const payer = unique('payer')
    const mock = mockOf(world.account, { payer, oneTime })
    await keep('set', set(world, overriding(mock, { initiate: marked(MARK) })))
    await keep('first', pay(world, payer))
    await keep('second', pay(world, payer))
  }

const mockedTwice = (evidence: Evidence<string>, expect: Expect): void => {
  isSet(evidence.of('set'), expect)
  isMocked(evidence.of('first'), MARK, expect)
  isMocked(evidence.of('second'), MARK, expect)
}

const SCENES: Scene[] = [
  {
    id: 'MCK-07',
    clause: '2.7, 8',
    title: 'with oneTime, the second call of a step is not mocked',
    ...WITH_MARKS,
    play: twice(true),
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      isMocked(evidence.of('first'), MARK, expect)
      isUsual(evidence.of('second'), MARK, expect)
    },
  },
  {
    id: 'MCK-08',
    clause: '2.7',
    title: 'with oneTime false, the second call of a step is mocked as well',
    ...WITH_MARKS,
    play: twice(false),
    judge: mockedTwice,
  },
  {
    id: 'MCK-09',
    clause: '2.7',
    title: 'oneTime left out means false',
    ...WITH_MARKS,
    play: twice(undefined),
    judge: mockedTwice,
  },
  {
    id: 'MCK-12',
    clause: '2.7',
    title: 'oneTime counts for each step by itself',
    ...WITH_MARKS,
    needs: ['mocks.initiate', 'mocks.finalize', 'fields.initiate.transactionId'],
    play: async (world, keep) => {
      const payer = unique('payer')
      const steps = { initiate: marked(MARK), finalize: marked(FINALIZE_MARK) }
      const mock = overriding(mockOf(world.account, { payer, oneTime: true }), steps)
      await keep('set', set(world, mock))
      const initiated = await keep('initiate', pay(world, payer))
      await keep('finalize', on(world, transactionIdOf(world.profile, initiated)).finalize())
    },
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      isMocked(evidence.of('initiate'), MARK, expect)
      isMocked(evidence.of('finalize'), FINALIZE_MARK, expect)
    },
  },
  {
    id: 'MCK-22',
    clause: '2.7',
    title: 'a step that is not in the mock runs as usual',
    ...WITH_MARKS,
    needs: [...NEEDS, 'mocks.finalize', 'fields.status.state', 'states'],
    play: async (world, keep) => {
      const payer = unique('payer')
      const { scenario: _, ...mock } = mockOf(world.account, { payer })
      await keep('set', set(world, overriding(mock, { finalize: marked(FINALIZE_MARK) })))
      const transactionId = transactionIdOf(world.profile, await keep('initiate', codePayment(world, payer)))
      await keep('status', on(world, transactionId).status())
      await world.operator.shopper(transactionId, 'approve')
      await keep('finalize', on(world, transactionId).finalize())
    },
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      expect.served(evidence.of('initiate'))
      expect.category(evidence.of('status'), 'waiting')
      isMocked(evidence.of('finalize'), FINALIZE_MARK, expect)
    },
  },
]

/** A payment that waits for its shopper, where no mock answers for it. */
const codePayment = async ({ merchant, operator, account }: World, payerId: string) => {
  const oneTimeCode = await operator.oneTimeCode()
  return merchant.request('initiate', { json: { ...blikPayment(account, ''), payerDetails: { payerId, oneTimeCode } } })
}

/** How often a mock is used, and for which steps (2.7). */
export const mockSteps = staging({ name: 'steps that a mock answers', tier: 3 }, SCENES)
