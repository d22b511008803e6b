import type { Details } from '../../model/model-call-and-judged-response.ts'
import { markerOverrides, mockBody, withOverrides } from '../../suites/given/mocks.ts'
import type { Step } from '../step.ts'
import { type Compose, composed, foreignAccount } from './parts-of-composed-call.ts'

const TIMES = { registeredAt: '2026-01-02T03:04:05Z', expiresAt: '2031-01-02T03:04:05Z' }
const ACCEPTED = { status: 'ACCEPTED', statusInfo: { reasonCode: '-1', message: 'as the mock says' } }

/** Composes the mock/set of an exploration step, for its payer or its reference (2.7). */
export const composeMock: Compose = (stage, step, account) => {
  const { type = 'MOCK', oneTime, step: only, shows } = step.mock ?? {}
  const label = step.payer ?? step.reference ?? step.id
  const key = {
    type: step.payer === undefined ? 'CLIENT_TRANSACTION_ID' : 'PAYER_ID',
    value: stage.valueOf(label),
  } as const
  const once = oneTime === undefined ? {} : { oneTime }
  const { scenario, oneTime: _, ...body } = mockBody(account, { key, type })
  const usual = { ...body, ...once, ...(only === 'finalize' ? {} : { scenario }) }
  const details = detailsShown(shows, stage.valueOf(step.id))
  const mock = { account, key, type, details, ...once, ...(only !== undefined && { step: only }) }
  return composed(stage, step, withSteps(usual, details, step.mock), { account, mock, ...foreignAccount(step) })
}

type Shows = NonNullable<Step['mock']>['shows']

const detailsShown = (shows: Shows, mark: string): Details => {
  if (shows === undefined) return {}
  return shows === 'status' ? { status: ACCEPTED.status } : { ...markerOverrides(mark), ...TIMES }
}

const withSteps = (body: Record<string, unknown>, details: Details, mock: Step['mock']): Record<string, unknown> => {
  if (mock?.shows === undefined) return body
  if (mock.shows === 'status') return { ...body, steps: { initiate: ACCEPTED } }
  return withOverrides(body, { [mock.step ?? 'initiate']: details })
}
