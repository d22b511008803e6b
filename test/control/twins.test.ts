import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TEST_IDS } from '../../hosted-pages/test-ids.ts'
import { sources } from '../tidy/sources.ts'
import { described, faultsBy } from './description.ts'

const SHOPPER = 'POST /control/organizations/{organizationId}/payments/{transactionId}/shopper'

/** What a program asks control for in the place of a press on a button. */
// biome-ignore format: a table reads by its columns
const TWINS: Readonly<Record<string, readonly [call: string, body: object] | 'in the browser alone'>> = {
  'blik-new-code': ['POST /control/organizations/{organizationId}/blik/codes', {}],
  'blik-copy':     'in the browser alone',
  'blik-approve':  [SHOPPER, { action: 'approve' }],
  'blik-decline':  [SHOPPER, { action: 'decline' }],
  'iris-confirm':  [SHOPPER, { action: 'approve' }],
  'iris-cancel':   [SHOPPER, { action: 'decline' }],
}

const buttons = TEST_IDS.filter(([, , what]) => what.startsWith('button')).map(([id]): string => id)

test('every button of the pages has a twin, and every twin a button', () => {
  expect(Object.keys(TWINS).sort()).toEqual([...buttons].sort())
})

test('every button and form that a page draws is marked as a button', () => {
  const drawn = sources('hosted-pages/**')
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(file, 'utf8'))
  const marks = drawn.flatMap(text =>
    Array.from(text.matchAll(/<button\b[^>]*>/g), ([tag]) => /data-testid="([^"]+)"/.exec(tag)?.[1]),
  )
  expect(marks.length).toBeGreaterThan(4)
  expect([...new Set(marks)].filter(mark => mark === undefined || !buttons.includes(mark))).toEqual([])
})

test.each(Object.entries(TWINS).filter(([, twin]) => typeof twin !== 'string'))('%s', (_id, twin) => {
  const [call, body] = twin as [string, object]
  const operation = described.find(row => row.call === call)?.operation
  const schema = operation?.requestBody?.content?.['application/json']?.schema
  expect(schema, `${call} is not there`).toBeDefined()
  expect(faultsBy(schema ?? {}, body)).toEqual([])
})
