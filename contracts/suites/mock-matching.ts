import { randomUUID } from 'node:crypto'
import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { Blocked, Open } from '../harness/signals.ts'
import { isMocked, isNotOf, isSet, isUsual, marked, mockOf, overriding, pay, set, unique, WITH_MARKS } from './mock.ts'
import { type Scene, staging } from './scene.ts'
import type { World } from './world.ts'

const MARK = 'mark-of-one-mock'
const OTHER_MARK = 'mark-of-another-mock'

const marking = ({ account }: World, wish: Parameters<typeof mockOf>[1], mark = MARK) =>
  overriding(mockOf(account, wish), { initiate: marked(mark) })

/** The payment that the mock is for has its answer, the other one has not. */
const onlyOwn = (evidence: Evidence<string>, expect: Expect): void => {
  isSet(evidence.of('set'), expect)
  isMocked(evidence.of('own'), MARK, expect)
  isUsual(evidence.of('other'), MARK, expect)
}

const SCENES: Scene[] = [
  {
    id: 'MCK-03',
    clause: '2.7, E2',
    title: 'a mock for a payer is used by a payment of that payer',
    ...WITH_MARKS,
    control: 'MCK-01',
    play: async (world, keep) => {
      const payer = unique('payer')
      await keep('set', set(world, marking(world, { payer })))
      await keep('own', pay(world, payer))
    },
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      isMocked(evidence.of('own'), MARK, expect)
    },
  },
  {
    id: 'MCK-04',
    clause: '2.7, E2',
    title: 'a mock for a clientTransactionId is used by the payment that has it',
    ...WITH_MARKS,
    control: 'MCK-01',
    play: async (world, keep) => {
      const clientTransactionId = `check-${randomUUID()}`
      const key = { type: 'CLIENT_TRANSACTION_ID', value: clientTransactionId }
      await keep('set', set(world, marking(world, { key })))
      await keep('own', pay(world, unique('payer'), { clientTransactionId }))
    },
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      isMocked(evidence.of('own'), MARK, expect)
    },
  },
  {
    id: 'MCK-05',
    clause: 'E2',
    title: 'a payment with another value runs as if there were no mock',
    ...WITH_MARKS,
    play: async (world, keep) => {
      const payer = unique('payer')
      await keep('set', set(world, marking(world, { payer })))
      await keep('own', pay(world, payer))
      await keep('other', pay(world, `${payer}-2`))
    },
    judge: onlyOwn,
  },
  {
    id: 'MCK-06',
    clause: '2.7',
    title: 'a payment of another account runs as if there were no mock',
    ...WITH_MARKS,
    play: async (world, keep) => {
      const payer = unique('payer')
      const account = world.merchant.credentials.processingAccountIds.find(id => id !== world.account)
      if (account === undefined)
        throw new Open(`one account is not enough: name a second in organization of ${world.profile.file}`)
      await keep('set', set(world, marking(world, { payer })))
      await keep('own', pay(world, payer))
      await keep('other', pay(world, payer, { account }))
    },
    judge: (evidence, expect) => {
      const other = evidence.of('other')
      if (expect.answered(other).status >= 300) throw new Blocked('the second account cannot pay like the first', other)
      onlyOwn(evidence, expect)
    },
  },
  {
    id: 'MCK-25',
    clause: '2.7',
    title: 'a second mock for the same key takes the place of the first',
    basis: 'assumed',
    decisions: ['D-79'],
    ...WITH_MARKS,
    play: async (world, keep) => {
      const payer = unique('payer')
      await keep('set', set(world, marking(world, { payer })))
      await keep('second', set(world, marking(world, { payer, oneTime: true }, OTHER_MARK)))
      await keep('own', pay(world, payer))
      await keep('other', pay(world, payer))
    },
    judge: (evidence, expect) => {
      for (const step of ['set', 'second']) isSet(evidence.of(step), expect)
      isMocked(evidence.of('own'), OTHER_MARK, expect)
      isUsual(evidence.of('other'), MARK, expect)
    },
  },
  {
    id: 'MCK-26',
    clause: '2.7',
    title: "one merchant's mock never touches another's payment",
    basis: 'assumed',
    decisions: ['D-80'],
    ...WITH_MARKS,
    needs: [...WITH_MARKS.needs, 'secondOrganization'],
    play: async (world, keep) => {
      const [payer, claimed] = [unique('payer'), unique('payer')]
      const second = await world.second()
      await keep('set', set(world, marking(world, { payer })))
      await keep('own', pay(world, payer))
      await keep('other', pay(second, payer))
      await keep('claim', set(second, marking(world, { payer: claimed })))
      await keep('claimed', pay(world, claimed))
    },
    judge: (evidence, expect) => {
      isSet(evidence.of('set'), expect)
      isMocked(evidence.of('own'), MARK, expect)
      isNotOf(evidence.of('other'), MARK, expect)
      isUsual(evidence.of('claimed'), MARK, expect)
    },
  },
  {
    id: 'IDM-41',
    clause: '4',
    title: 'another mock under the key of the first',
    basis: 'assumed',
    observes: true,
    control: 'MCK-01',
    play: async (world, keep) => {
      const key = randomUUID()
      await set(world, mockOf(world.account, { payer: unique('payer') }), key)
      await keep('again', set(world, mockOf(world.account, { payer: unique('payer') }), key))
    },
    judge: (evidence, expect) => expect.told(evidence.of('again')),
  },
]

/** Which payments meet a mock (2.7, E2). */
export const mockMatching = staging({ name: 'payments that a mock is for, and others', tier: 3 }, SCENES)
