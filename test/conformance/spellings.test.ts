import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../contracts/harness/check.ts'
import { type Profile, readProfile } from '../../contracts/harness/profile.ts'
import { byLot } from '../support/lot.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, idsOf, profileOf, SIMULATOR_PROFILE } from './certify.ts'
import { LEDGER } from './spellings/ledger.ts'
import { ODD } from './spellings/odd.ts'
import { SNAKE } from './spellings/snake.ts'
import type { Tongue } from './spellings/tongue.ts'
import { startWrapper, type Wrapper } from './translating-wrapper.ts'

const LIMIT = 120_000

const profileAt = (file: string, { apiUrl, pagesUrl, kitFolder }: Wrapper): Profile =>
  readProfile(file, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

/** Each check with its verdict, and what stands behind one that is not the usual one. */
const verdicts = (results: readonly Result[]): Record<string, string> =>
  Object.fromEntries(
    results.map(({ id, verdict, reason, expected, got }) => [
      id,
      verdict === 'pass' || verdict === 'observed' || verdict === 'withheld' || verdict === 'not applicable'
        ? verdict
        : `${verdict}: ${reason ?? `expected ${expected}, got ${got}`}`,
    ]),
  )

/** What nobody can have seen who cannot even begin a payment. */
const needsAPayment = [
  'VAL-01',
  'VAL-03',
  'LIF-01',
  'LIF-07',
  'IDM-08',
  'IDM-15',
  'RDS-01',
  'RDS-02',
  'MCK-01',
  'MAP-01',
  'RSP-01',
]

let plain: Record<string, string>

beforeAll(async () => {
  const simulator = await startTestSimulator()
  plain = verdicts(await certify(profileOf(simulator)))
  await simulator.stop()
}, LIMIT)

/** The spellings, and the verdicts that are theirs alone. */
const SPELLINGS: readonly [name: string, tongue: Tongue, own: Record<string, string>][] = [
  ['snake', SNAKE, { 'RDS-03': 'known: a payment that is not there is 5000 here' }],
  ['ledger', LEDGER, { 'SIG-38': 'not applicable' }],
]

describe.each(byLot(SPELLINGS, 1))('11: a deployment that spells everything like %s', (name, tongue, own) => {
  let wrapper: Wrapper

  beforeAll(async () => {
    wrapper = await startWrapper(tongue)
  })

  afterAll(() => wrapper.stop())

  const right = () => profileAt(join(import.meta.dirname, `spellings/${name}.yaml`), wrapper)

  test(
    'has the verdicts of the simulator, check by check, under its own profile',
    async () => {
      const results = verdicts(await certify(right()))
      expect(results).toEqual({ ...plain, ...own })
    },
    LIMIT,
  )

  test(
    "is neither passed nor condemned under the simulator's profile",
    async () => {
      const results = await certify(profileAt(SIMULATOR_PROFILE, wrapper))
      expect(idsOf(results, 'fail', 'harness error')).toEqual([])
      expect(idsOf(results, 'pass').filter(id => needsAPayment.includes(id))).toEqual([])
    },
    LIMIT,
  )
})

test(
  '11: odd and allowed, all at once: 201, 422 for a decline, more members, another order, slow: the same verdicts',
  async () => {
    const wrapper = await startWrapper(ODD)
    try {
      expect(verdicts(await certify(profileAt(SIMULATOR_PROFILE, wrapper)))).toEqual(plain)
    } finally {
      await wrapper.stop()
    }
  },
  LIMIT,
)
