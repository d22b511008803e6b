import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIVE_TEST_IDS } from '../../hosted-pages/portal/live-test-ids.ts'
import { PORTAL_TEST_IDS } from '../../hosted-pages/portal/test-ids.ts'
import { TEST_IDS } from '../../hosted-pages/test-ids.ts'
import { sources } from '../tidy/sources.ts'
import { contentOf, described, faultsBy } from './description.ts'
import { LIVE_TWINS } from './live-twins.ts'
import { PORTAL_TWINS } from './portal-twins.ts'

const SHOPPER = 'POST /control/organizations/{organizationId}/payments/{transactionId}/shopper'

/** What a program asks control for in the place of a press on a button. */
// biome-ignore format: a table reads by its columns
const TWINS: Readonly<Record<string, readonly [call: string, body: object | undefined] | 'in the browser alone'>> = {
  'blik-bank-{id}': ['POST /control/organizations/{organizationId}/blik/phones', { bank: 'zuraw' }],
  'blik-revoke':   ['POST /control/organizations/{organizationId}/mandates/{paymentToken}/revoke', {}],
  'blik-new-code': ['POST /control/organizations/{organizationId}/blik/codes', { phone: 'its-id' }],
  'blik-copy':     'in the browser alone',
  'blik-approve':  [SHOPPER, { action: 'approve' }],
  'blik-decline':  [SHOPPER, { action: 'decline' }],
  'blik-insufficient-funds': [SHOPPER, { action: 'decline', cause: 'INSUFFICIENT_FUNDS' }],
  'blik-limit-exceeded': [SHOPPER, { action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' }],
  'blik-lapse':    [SHOPPER, { action: 'lapse' }],
  'blik-keep':     [SHOPPER, { action: 'approve', keep: 'yes' }],
  'blik-do-not-keep': [SHOPPER, { action: 'approve', keep: 'no' }],
  'find-organization': ['GET /control/organizations', undefined],
  'iris-sign-in':  'in the browser alone',
  'iris-confirm-and-leave': [SHOPPER, { action: 'approve', leaves: 'yes' }],
  'iris-confirm':  [SHOPPER, { action: 'approve' }],
  'iris-cancel':   [SHOPPER, { action: 'decline' }],
  ...PORTAL_TWINS,
  ...LIVE_TWINS,
}

const buttons = [...TEST_IDS, ...PORTAL_TEST_IDS, ...LIVE_TEST_IDS]
  .filter(([, , what]) => what.startsWith('button'))
  .map(([id]): string => id)

test('every button of the pages has a twin, and every twin a button', () => {
  expect(Object.keys(TWINS).sort()).toEqual([...buttons].sort())
})

test('every button and form that a page draws is marked as a button', () => {
  const drawn = sources('hosted-pages/**')
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(file, 'utf8'))
  const marks = drawn.flatMap(text =>
    Array.from(text.matchAll(/<button\b[^>]*>/g), ([tag]) =>
      /data-testid="([^"]+)"/.exec(tag)?.[1]?.replace(/\$\{bank\.id\}/, '{id}'),
    ),
  )
  expect(marks.length).toBeGreaterThan(4)
  expect([...new Set(marks)].filter(mark => mark === undefined || !buttons.includes(mark))).toEqual([])
})

test.each(Object.entries(TWINS).filter(([, twin]) => typeof twin !== 'string'))('%s', (_id, twin) => {
  const [call, body] = twin as [string, object | undefined]
  const operation = described.find(row => row.call === call)?.operation
  if (body === undefined) return expect(operation, `${call} is not there`).toBeDefined()
  const schema = contentOf(operation?.requestBody)['application/json']?.schema
  expect(schema, `${call} is not there`).toBeDefined()
  expect(faultsBy(schema ?? {}, body)).toEqual([])
})
