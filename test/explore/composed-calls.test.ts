import { describe, expect, test } from 'vitest'
import { composeCall } from '../../contracts/explore/compose/compose-call.ts'
import { createStage, type Organizations } from '../../contracts/explore/organizations-and-values-of-play.ts'
import type { Step } from '../../contracts/explore/step.ts'
import { createRequestDialect } from '../../contracts/harness/profile/create-request-dialect.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import type { TestOrganization } from '../../contracts/suites/context/test-organization.ts'
import { SIMULATOR_PROFILE } from '../conformance/run-suites.ts'

const organization = (account: string) =>
  ({
    account,
    merchant: { credentials: { processingAccountIds: [account, `${account}-2`] } },
    clock: { now: () => 0 },
  }) as unknown as TestOrganization

/** Returns a stage on which a payment of another account of the first organization is known. */
const stageOf = (lines: Partial<Profile>) => {
  const organizations: Organizations = { first: organization('shop'), second: organization('other') }
  const stage = createStage({ ...readProfile(SIMULATOR_PROFILE), ...lines }, organizations)
  const payment = { reference: 'r', method: 'BLIK', owner: 'first', account: 'shop-2' } as const
  stage.payments.set('s1', { transactionId: 't', ...payment })
  return stage
}

/** Composes a step on that payment; returns the body as it is sent. */
const sentFor = async (lines: Partial<Profile>, step: Omit<Step, 'id'>) => {
  const stage = stageOf(lines)
  const sent = await composeCall(stage, { id: 's2', on: 's1', ...step })
  const wire = sent && createRequestDialect(stage.profile).json(sent.operation, sent.json)
  return { sent, stage, wire: wire && JSON.parse(JSON.stringify(wire)) }
}

describe('a member that requests lack here', () => {
  const bare = {
    requests: {
      without: {
        finalize: ['processingAccountId'],
        cancel: ['processingAccountId', 'clientTransactionId'],
        capture: ['processingAccountId', 'clientTransactionId', 'paymentDetails.amount'],
      },
    },
  }

  test.each(['finalize', 'cancel', 'capture'] as const)(
    'names no account: a %s is for the account of its payment',
    async act => {
      const { sent } = await sentFor(bare, { do: act })
      expect(sent?.call.account).toBe('shop-2')
    },
  )

  test.each<[what: string, step: Omit<Step, 'id'>]>([
    ['another account', { do: 'cancel', account: 'other' }],
    ['an account of another', { do: 'finalize', by: 'second', account: 'foreign' }],
    ['a part', { do: 'capture', amount: 400 }],
    ['a wrong part', { do: 'capture', wrong: 'part of 0' }],
  ])('is in no call: %s', async (_, step) => {
    expect((await sentFor(bare, step)).sent).toBeUndefined()
    expect((await sentFor({}, step)).sent).toBeDefined()
  })

  test('is not changed in a repeated call', async () => {
    const { sent, stage } = await sentFor(bare, { do: 'cancel' })
    if (sent) stage.sent.set('s2', sent)
    const again = { id: 's3', do: 'repeat', again: 's2' } as const
    expect(await composeCall(stage, { ...again, change: 'clientTransactionId' })).toBeUndefined()
    expect((await composeCall(stage, { ...again, change: 'transactionId' }))?.call.payload).not.toBe(sent?.call.payload)
  })
})

test.each<[what: string, lines: Partial<Profile>, wire: object | undefined]>([
  ['is empty', {}, {}],
  ['is left out with its only member', { requests: { without: { capture: ['paymentDetails.amount'] } } }, undefined],
  [
    'is left out where its amount is elsewhere',
    { requests: { capture: { 'paymentDetails.amount': '/amount' } } },
    undefined,
  ],
  ['may be left out (D-47)', { decisions: { 'D-47': 'optional' } }, undefined],
])('paymentDetails of a capture of all that is left %s', async (_, lines, details) => {
  const { wire } = await sentFor(lines, { do: 'capture' })
  expect(wire.paymentDetails).toEqual(details)
})
