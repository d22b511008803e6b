import type { components } from '../../contracts/openapi.gen.ts'
import { createMock } from '../scenarios/read-mock-request.ts'
import type { Operation } from './operation-types.ts'

/**
 * Decides operation `/mock/set`: saves a mock for 24 hours, replacing one of the same account and key (2.7, E3,
 * D-80).
 */
export const setMock: Operation<components['schemas']['MockRequest']> = (request, { accountIds, now, rules }) => ({
  answer: '',
  mock: createMock(request, { accountIds, now, ...rules }),
})
