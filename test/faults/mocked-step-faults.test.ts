import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { FAULTS } from '../../simulator/providers/fault-kinds.ts'
import { irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore } from '../support/simulator-core.ts'

const KINDS = [...new Set(FAULTS.map(({ kind }) => kind))].filter(kind => kind !== 'decline')

test('D-87: the OpenAPI description lists every fault kind of a mocked step', () => {
  const { components } = parse(readFileSync(join(import.meta.dirname, '../../contracts/openapi.yaml'), 'utf8'))
  expect(components.schemas.MockFault.properties.kind.enum).toEqual(KINDS)
})

// biome-ignore format: a table reads by its columns
const STEPS = [
  [{ kind: 'error' },                           502, undefined],
  [{ kind: 'timeout', done: 'no' },             504, undefined],
  [{ kind: 'internal' },                        500, undefined],
  [{ kind: 'locked' },                          423, undefined],
  [{ kind: 'limited', after: 'PT2S' },          429, undefined],
  [{ kind: 'reset', done: 'no' },               500, { kind: 'reset' }],
  [{ kind: 'timeout', done: 'yes' },            504, undefined],
  [{ kind: 'reset', done: 'yes' },              200, { kind: 'reset' }],
  [{ kind: 'slow', after: 'PT0.2S' },           200, { kind: 'slow', after: 200 }],
  [{ kind: 'dribble', after: 'PT0.2S' },        200, { kind: 'dribble', after: 200 }],
  [{ kind: 'truncated' },                       200, { kind: 'truncated' }],
  [{ kind: 'missigned' },                       200, { kind: 'missigned' }],
  [{ kind: 'tampered' },                        200, { kind: 'tampered' }],
] as const

describe('2.7, 7.4, D-87: a mocked step with a fault', () => {
  const begin = async (fault: object, more: object = {}) => {
    const core = await openCore()
    const key = { type: 'PAYER_ID', value: 'payer-of-the-mock' }
    const mock = { processingAccountId: ACCOUNT, key, type: 'MOCK', steps: { initiate: { fault } }, ...more }
    expect((await core.call('mockSet', mock)).http).toBe(200)
    const request = { ...irisRequest(), payerDetails: { payerId: key.value } }
    return { core, call: (key: string) => core.call('initiate', request, { key }) }
  }

  test.each(STEPS)(
    '%j: the first call under each key meets it, the second gets what came of it',
    async (fault, http, wire) => {
      const { core, call } = await begin(fault)
      for (const key of ['one', 'other']) {
        const first = await call(key)
        expect([first.http, first.replayed, first.wire]).toEqual([http, false, wire])
        const done = http === 200 || ('done' in fault && fault.done === 'yes')
        expect(await call(key)).toMatchObject({ http: 200, replayed: done })
      }
      expect(await core.store.faults('shop')).toEqual([])
    },
  )

  test('423 for three calls, then carried out', async () => {
    const { call } = await begin({ kind: 'locked', times: 3 })
    const told = [await call('one'), await call('one'), await call('one'), await call('one')]
    expect(told.map(({ http }) => http)).toEqual([423, 423, 423, 200])
  })

  test.each(STEPS.filter(([fault, http]) => http !== 200 && !('done' in fault && fault.done === 'yes')))(
    'D-94: %j does not use up a oneTime mock while the provider would not have acted',
    async fault => {
      const { call } = await begin({ ...fault, times: 2 }, { oneTime: true })
      const statuses = [await call('one'), await call('one'), await call('one')].map(({ http, body }) => [
        http,
        body.status,
      ])
      expect(statuses[2]).toEqual([200, 'ACCEPTED'])
      expect((await call('other')).body.status).toBe('PENDING')
    },
  )

  test('late: 423 until due, then carried out', async () => {
    const { core, call } = await begin({ kind: 'timeout', done: 'late', after: 'PT20S' })
    expect((await call('one')).http).toBe(504)
    core.pass(19_999)
    expect((await call('one')).http).toBe(423)
    core.pass(1)
    expect(await call('one')).toMatchObject({ http: 200, replayed: true })
  })
})
