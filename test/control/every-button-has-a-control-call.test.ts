import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATIONS, type OperationName } from '../../contracts/operations.ts'
import { sourceFiles } from '../architecture/read-source-files.ts'
import { PORTAL_TEST_IDS } from '../browser/portal-form-page-test-ids.ts'
import { LIVE_TEST_IDS } from '../browser/portal-live-page-test-ids.ts'
import { TEST_IDS } from '../browser/shopper-page-test-ids.ts'
import { contentOf, describedCalls, schemaErrors } from '../support/control-description.ts'
import { FORM_BUTTON_CALLS } from './form-button-control-calls.ts'
import { LIVE_BUTTON_CALLS } from './live-page-button-control-calls.ts'

const SHOPPER = 'POST /control/organizations/{organizationId}/payments/{transactionId}/shopper'

/** Control call with an example body that is equivalent to each button of the pages. */
// biome-ignore format: a table reads by its columns
const BUTTON_CALLS: Readonly<Record<string, readonly [call: string, body: object | undefined] | 'in the browser alone'>> = {
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
  'find-anything-now': ['GET /control/organizations/{organizationId}/search', undefined],
  'find-organization': ['GET /control/organizations', undefined],
  'iris-sign-in':  'in the browser alone',
  'iris-confirm-and-leave': [SHOPPER, { action: 'approve', leaves: 'yes' }],
  'iris-confirm':  [SHOPPER, { action: 'approve' }],
  'iris-cancel':   [SHOPPER, { action: 'decline' }],
  'open-stage':    ['POST /control/organizations/{organizationId}/blik/codes', { phone: 'its-id' }],
  'shop-on-stage': ['POST /control/organizations/{organizationId}/blik/codes', { phone: 'its-id' }],
  'demo-mode':     'in the browser alone',
  'theme-light':   'in the browser alone',
  'theme-dark':    'in the browser alone',
  'theme-system':  'in the browser alone',
  'language-en':   'in the browser alone',
  'language-pl':   'in the browser alone',
  'language-el':   'in the browser alone',
  'stage-play':    'in the browser alone',
  ...FORM_BUTTON_CALLS,
  ...LIVE_BUTTON_CALLS,
}

/** The operation of the payment API behind each button of the shop, which is a merchant: control pays nothing. */
const SHOP_CALLS: Readonly<Record<string, OperationName>> = {
  'shop-pay-blik': 'initiate',
  'shop-pay-iris': 'initiate',
  'shop-pay-kept': 'charge',
  'shop-refund': 'refund',
}

const buttons = [...TEST_IDS, ...PORTAL_TEST_IDS, ...LIVE_TEST_IDS]
  .filter(([, , what]) => what.startsWith('button'))
  .map(([id]): string => id)

test('every button of the pages has an equivalent control call, and every such call has a button', () => {
  expect(Object.values(SHOP_CALLS).filter(name => OPERATIONS[name] === undefined)).toEqual([])
  expect([...Object.keys(BUTTON_CALLS), ...Object.keys(SHOP_CALLS)].sort()).toEqual([...buttons].sort())
})

test('every button of a page has a listed test id', () => {
  const drawn = sourceFiles('hosted-pages/**')
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

test.each(Object.entries(BUTTON_CALLS).filter(([, calls]) => typeof calls !== 'string'))(
  'the control call equivalent to %s exists and takes its body',
  (_id, calls) => {
    const [call, body] = calls as [string, object | undefined]
    const operation = describedCalls.find(row => row.call === call)?.operation
    if (body === undefined) return expect(operation, `${call} is not there`).toBeDefined()
    const schema = contentOf(operation?.requestBody)['application/json']?.schema
    expect(schema, `${call} is not there`).toBeDefined()
    expect(schemaErrors(schema ?? {}, body)).toEqual([])
  },
)
