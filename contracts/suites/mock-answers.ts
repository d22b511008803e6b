import type { Evidence } from '../harness/evidence.ts'
import type { Expect } from '../harness/expect.ts'
import { findField } from '../harness/slots.ts'
import { isNotOf, isSet, marked, mockOf, overriding, pay, set, unique, WITH_MARKS } from './mock.ts'
import { type Scene, staging } from './scene.ts'

const MARK = 'mark-of-an-answer'

const SHOWN: Readonly<Record<'providerTransactionId' | 'redirectUrl' | 'registeredAt' | 'expiresAt', string>> = {
  providerTransactionId: MARK,
  redirectUrl: `https://bank.example/${MARK}`,
  registeredAt: '2026-01-02T03:04:05Z',
  expiresAt: '2031-01-02T03:04:05Z',
}

/** A payment that meets a mock with every override, and one that meets none. */
const overridden: Scene['play'] = async (world, keep) => {
  const payer = unique('payer')
  const mock = overriding(mockOf(world.account, { payer }), { initiate: SHOWN })
  await keep('set', set(world, mock))
  await keep('paid', pay(world, payer))
  await keep('usual', pay(world, unique('payer')))
}

/** The overrides show where the profile says that they do. */
const showing =
  (names: readonly (keyof typeof SHOWN)[], read: (value: unknown) => unknown = value => value): Scene['judge'] =>
  (evidence, expect) => {
    isSet(evidence.of('set'), expect)
    const paid = evidence.of('paid')
    expect.served(paid)
    for (const name of names) expect.equal(name, read(toldOf(name, evidence, expect)), read(SHOWN[name]), paid)
  }

/** A mock may keep silent only about what answers are seen to tell: else it is the profile that points at nothing. */
const toldOf = (name: string, evidence: Evidence<string>, expect: Expect): unknown => {
  const found = findField(expect.profile, evidence.of('paid'), `initiate.${name}`)
  if (found === undefined) expect.field(evidence.of('usual'), `initiate.${name}`)
  return found
}

const instant = (time: unknown): number => (typeof time === 'number' ? time : Date.parse(String(time)))

const fieldsOf = (...names: string[]) => names.map(name => `fields.initiate.${name}`)

/** A payment that meets a mock without overrides, and one that meets none. */
const plain =
  (type: 'MOCK' | 'PASSTHROUGH'): Scene['play'] =>
  async (world, keep) => {
    const payer = unique('payer')
    await keep('set', set(world, mockOf(world.account, { payer, type })))
    await keep('paid', pay(world, payer))
    await keep('usual', pay(world, unique('payer')))
  }

/** Where the shopper is sent with the mock; without it, somewhere. */
const redirectOf = (evidence: Evidence<string>, expect: Expect): unknown => {
  for (const step of ['set', 'paid', 'usual']) expect.served(evidence.of(step))
  return toldOf('redirectUrl', evidence, expect)
}

const SCENES: Scene[] = [
  {
    id: 'MCK-13',
    clause: '2.7, E3',
    title: 'MOCK: the providerTransactionId of the mock shows',
    ...WITH_MARKS,
    needs: [...WITH_MARKS.needs, ...fieldsOf('providerTransactionId')],
    play: overridden,
    judge: showing(['providerTransactionId']),
  },
  {
    id: 'MCK-14',
    clause: '2.7, E3',
    title: 'MOCK: the redirectUrl of the mock shows',
    ...WITH_MARKS,
    needs: [...WITH_MARKS.needs, ...fieldsOf('redirectUrl')],
    play: overridden,
    judge: showing(['redirectUrl']),
  },
  {
    id: 'MCK-15',
    clause: '2.7, E3',
    title: 'MOCK: registeredAt and expiresAt of the mock show',
    ...WITH_MARKS,
    needs: [...WITH_MARKS.needs, ...fieldsOf('registeredAt', 'expiresAt')],
    play: overridden,
    judge: showing(['registeredAt', 'expiresAt'], instant),
  },
  {
    id: 'MCK-16',
    clause: 'E3',
    title: 'MOCK: nobody is sent to a provider',
    control: 'MCK-03',
    needs: fieldsOf('redirectUrl'),
    play: plain('MOCK'),
    judge: (evidence, expect) => {
      const redirect = redirectOf(evidence, expect)
      expect.holds(redirect === undefined, 'no redirect', redirect, evidence.of('paid'))
    },
  },
  {
    id: 'MCK-18',
    clause: 'E3',
    title: "PASSTHROUGH: the way to the provider's page is kept",
    tier: 4,
    control: 'MCK-01',
    needs: fieldsOf('redirectUrl'),
    play: plain('PASSTHROUGH'),
    judge: (evidence, expect) => {
      const redirect = redirectOf(evidence, expect)
      expect.holds(URL.canParse(String(redirect)), 'a redirect', redirect ?? 'none', evidence.of('paid'))
    },
  },
  {
    id: 'MCK-17',
    clause: 'E3',
    title: 'PASSTHROUGH: overrides are refused with 400, or not applied',
    tier: 4,
    control: 'MCK-18',
    needs: WITH_MARKS.needs,
    play: async (world, keep) => {
      const payer = unique('payer')
      const mock = mockOf(world.account, { payer, type: 'PASSTHROUGH' })
      const { answer } = await keep('set', set(world, overriding(mock, { initiate: marked(MARK) })))
      if (answer && answer.status < 300) await keep('paid', pay(world, payer))
    },
    judge: (evidence, expect) => {
      const taken = expect.answered(evidence.of('set')).status < 300
      if (taken) isNotOf(evidence.of('paid'), MARK, expect)
      else expect.refused(evidence.of('set'), { status: 400 })
    },
  },
  {
    id: 'MCK-23',
    clause: '2.7, 3',
    title: 'a mocked initiate with OK answers ACCEPTED, and a code beside it',
    basis: 'assumed',
    decisions: ['D-95'],
    control: 'MCK-03',
    needs: fieldsOf('status', 'reasonCode'),
    play: plain('MOCK'),
    judge: (evidence, expect) => {
      for (const step of ['set', 'paid']) expect.served(evidence.of(step))
      const paid = evidence.of('paid')
      expect.equal('status', expect.field(paid, 'initiate.status'), 'ACCEPTED', paid)
      expect.field(paid, 'initiate.reasonCode')
    },
  },
]

/** What MOCK and PASSTHROUGH make of an answer (E3). */
export const mockAnswers = staging({ name: 'answers of mocks', tier: 3 }, SCENES)
