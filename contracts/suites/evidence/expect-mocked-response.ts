import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'

/** Members `control` and `needs` of checks that recognise a mocked response by its overrides (2.7). */
export const WITH_MOCK_MARKERS = { control: 'MCK-03', needs: ['mocks.initiate'] }

/** Expects mock/set to be served; throws Untestable otherwise: the profile places the overrides wrongly (S06). */
export const expectMockSet = (exchange: Exchange, expect: Expect): void => {
  if (expect.response(exchange).status < 300) return
  const { file } = expect.profile
  throw new Untestable(
    `a mock with overrides is not taken (${expect.describeJudged(exchange)}): correct mocks in ${file}`,
    exchange,
    'mocks',
  )
}

/**
 * Expects a served response that contains the marker of the mock (E2); throws Untestable where it lacks every member
 * that the mock overrides.
 */
export const expectMocked = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.served(exchange)
  if (showsMark(exchange, mark)) return
  const { file } = expect.profile
  if (!hasOverridden(exchange, expect))
    throw new Untestable(
      `the response has no member that a mock overrides: say where one is as fields.initiate.providerTransactionId in ${file}`,
      exchange,
    )
  expect.holds(false, 'the response of the mock', 'a response without its overrides', exchange)
}

/** Whether a response has a member that mocks override (2.7), where initiate has it. */
const hasOverridden = (exchange: Exchange, { profile }: Expect): boolean =>
  ['providerTransactionId', 'redirectUrl'].some(name => findField(profile, exchange, `initiate.${name}`) !== undefined)

/** Expects a served response of the default flow, without the marker of a mock (E2). */
export const expectDefaultFlow = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.served(exchange)
  expectNoMarker(exchange, mark, expect)
}

/** Expects a response of any status without the marker of a mock. */
export const expectNoMarker = (exchange: Exchange, mark: string, expect: Expect): void => {
  expect.response(exchange)
  expect.holds(!showsMark(exchange, mark), 'nothing of the mock', 'its overrides', exchange)
}

/** Whether a response shows the marker of a mock. */
export const showsMark = ({ response }: Exchange, mark: string): boolean =>
  response?.body.toString('utf8').includes(mark) ?? false
