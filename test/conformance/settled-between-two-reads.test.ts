import { expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { createExpect } from '../../contracts/harness/judge/check-assertions.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { RECORD_ROWS } from '../../contracts/suites/grid/payment-event-rows.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const profile = readProfile(SIMULATOR_PROFILE)
const [addsEvent] = RECORD_ROWS

const answering = (body: object): Exchange => ({
  request: { method: 'GET', url: 'https://localhost/payments/one', headers: {} },
  response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 1,
})
const status = (state: string) => answering({ status: 'APPROVED', lifecycle: { state } })
const events = (count: number) => answering({ timeline: Array.from({ length: count }, (_, nth) => ({ nth })) })

/** Judges GRD-20 for a payment that was read as captured, with its events, its state after that, and the later events. */
const judge = async (earlier: number, still: string, later: number) => {
  const steps: Readonly<Record<string, Exchange>> = {
    'GRD-15 before': status('AUTHORIZED'),
    'GRD-15 events': events(3),
    'GRD-16 before': status('CAPTURED'),
    'GRD-16 events': events(earlier),
    'GRD-16 still so after the events': status(still),
    'GRD-17 before': status('SETTLED'),
    'GRD-17 events': events(later),
    'GRD-19 before': status('REFUNDED'),
    'GRD-19 events': events(9),
  }
  const of = (step: string) => {
    const found = steps[step]
    if (!found) throw new Error(`no step ${step}`)
    return found
  }
  return addsEvent?.judge({ of, transcript: [] } as never, createExpect(profile, { id: 'GRD-20' }))
}

test('4, 6: a payment that settles between the reads of its state and its events fails no check', async () => {
  await judge(4, 'CAPTURED', 5)
  await judge(5, 'SETTLED', 5)
  await expect(judge(5, 'CAPTURED', 5)).rejects.toThrow('settlement: more than 5 events')
})
