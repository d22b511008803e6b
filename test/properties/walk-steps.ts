import fc from 'fast-check'
import { PROVIDER_OPERATIONS } from '../../contracts/operations.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../simulator/support/duration.ts'
import { FAULT_DELAYS, FAULTS, type FaultName } from './shop-model.ts'

const which = fc.nat(30)
/** Amount of a step as part of a payment: the rest, one minor unit, a third, all, or too much. */
const part = fc.constantFrom('rest', 'unit', 'third', 'all', 'more')
const fault = fc.constantFrom(...(Object.keys(FAULTS) as FaultName[]))
const after = fc.constantFrom(FAULT_DELAYS.short, FAULT_DELAYS.long)
const amount = fc.oneof(fc.constantFrom(1, 2, 100, 99_999_999_999), fc.integer({ min: 1, max: 99_999_999_999 }))
const auto = fc.boolean()
const provider = fc.constantFrom('BLIK', 'BLIK', 'IRIS')
const type = fc.constantFrom('ONE_TIME', 'ONE_TIME', 'RECURRING', 'TOKEN_ONLY')

// biome-ignore format: a table reads by its columns
const STEPS = [
  { weight: 5,  arbitrary: fc.record({ do: fc.constant('initiate'), provider, type, auto, amount, code: fc.constantFrom('fresh', 'fresh', 'fresh', 'last', 'wrong') }) },
  { weight: 3,  arbitrary: fc.record({ do: fc.constant('charge'), auto, amount }) },
  { weight: 20, arbitrary: fc.record({ do: fc.constant('advance'), which, part }) },
  { weight: 8,  arbitrary: fc.record({ do: fc.constant('act'), operation: fc.constantFrom('finalize', 'capture', 'cancel', 'refund'), which, part }) },
  { weight: 3,  arbitrary: fc.record({ do: fc.constant('shopper'), action: fc.constantFrom('approve', 'decline'), which }) },
  { weight: 4,  arbitrary: fc.record({ do: fc.constant('repeat'), which }) },
  { weight: 2,  arbitrary: fc.record({ do: fc.constant('reuse'), which, how: fc.constantFrom('payload', 'operation') }) },
  { weight: 2,  arbitrary: fc.record({ do: fc.constant('misaddress'), which, how: fc.constantFrom('organization', 'account', 'payment') }) },
  { weight: 4,  arbitrary: fc.record({ do: fc.constant('arm'), operation: fc.constantFrom(...PROVIDER_OPERATIONS), fault, provider, after }) },
  { weight: 5,  arbitrary: fc.record({ do: fc.constant('failNextCall'), way: fc.constantFrom('on', 'cancel'), fault, which, part, after }) },
  { weight: 5,  arbitrary: fc.record({ do: fc.constant('pass'), by: fc.constantFrom('time', 'control'), wait: fc.constantFrom(1, 500, SECOND, 2 * SECOND, 11 * SECOND) }) },
  { weight: 2,  arbitrary: fc.record({ do: fc.constant('pass'), by: fc.constantFrom('time', 'control'), wait: fc.constantFrom(45 * SECOND, 2 * MINUTE, 30 * MINUTE, 24 * HOUR, 7 * DAY) }) },
] as const

export type WalkStep = (typeof STEPS)[number]['arbitrary'] extends fc.Arbitrary<infer Value> ? Value : never

/** Arbitrary walk: legal and illegal calls, clock jumps and armed faults. */
export const walkArbitrary: fc.Arbitrary<WalkStep[]> = fc.array(
  fc.oneof(...(STEPS as readonly fc.WeightedArbitrary<WalkStep>[])),
  {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  },
)
