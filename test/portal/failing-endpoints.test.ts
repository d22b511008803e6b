import { expect, test } from 'vitest'
import type { DeliveryCount, DeliveryView } from '../../hosted-pages/portal/webhooks/delivery-view.ts'
import { readFailingEndpoints } from '../../hosted-pages/portal/webhooks/failing-endpoints.ts'

const delivery = (state: 'waiting' | 'dropped'): DeliveryView => ({
  deliveryId: `${state}-1`,
  endpointId: 'e',
  state,
  message: { type: 'PING', transactionId: '', body: '{}' },
  firstDueAt: 0,
  attemptCount: 0,
  attempts: [],
})
const features = {
  deliveries: {
    list: async (_: string, { state = 'waiting' }: { state?: DeliveryView['state'] | undefined }) =>
      state === 'delivered' ? [] : [delivery(state)],
    find: async () => ({ ...delivery('dropped'), deliveryId: 'newest' }),
  },
}
const count = (state: DeliveryCount['state'], isTried: boolean, count = 3): DeliveryCount => ({
  endpointId: 'e',
  state,
  isTried,
  count,
})
const endpoint = { endpointId: 'e', url: 'http://shop.example/' }
const marked = { ...endpoint, failing: { deliveryId: 'newest' } }

// biome-ignore format: a table reads by its columns
test.each([
  ['nothing yet',                                 endpoint, [],                                                   undefined],
  ['what was given up before, and taken since',   endpoint, [count('dropped', true), count('delivered', true)],   undefined],
  ['what was dropped before it was tried',        endpoint, [count('dropped', false)],                            undefined],
  ['one that waits for its next try',             endpoint, [count('waiting', true), count('delivered', true)],   'waiting-1'],
  ['a newest try that was not acknowledged',      marked,   [count('dropped', true), count('delivered', true)],   'newest'],
  ['all given up, by a version that marked none', endpoint, [count('dropped', true)],                             'dropped-1'],
] as const)('an endpoint with %s', async (_, one, counts, last) => {
  const found = await readFailingEndpoints(features, 'shop', [one], counts)
  expect(found.map(failing => failing.last?.deliveryId)).toEqual(last === undefined ? [] : [last])
})
