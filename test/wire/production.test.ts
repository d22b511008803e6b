import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROUTES, routesIn } from '../../simulator/http/routes.ts'
import { StartError } from '../../simulator/start-error.ts'
import { expectRefusal, expectServed } from './judge.ts'
import { irisPayment, openSandbox, type Sandbox } from './sandbox.ts'

let production: Sandbox

beforeAll(async () => {
  production = await openSandbox({ config: { environment: 'production' } })
})

afterAll(async () => {
  expect(production.faults).toEqual([])
  await production.close()
})

const SANDBOX_ONLY = ROUTES.filter(({ sandboxOnly }) => sandboxOnly)

test('1, 2.7, D-72: what the sandbox alone has is an unknown endpoint in production', async () => {
  for (const { method, path } of SANDBOX_ONLY) {
    const message = await production.sign({ method, target: path, body: {} })
    await expectRefusal(await production.send(message), production.keySet, '404/4000')
  }
  const [some] = ROUTES
  const table = [...ROUTES, ...(some ? [{ ...some, path: '/sandbox', sandboxOnly: true as const }] : [])]
  expect(routesIn('sandbox', table)).toEqual(table)
  expect(routesIn('production', table).filter(({ sandboxOnly }) => sandboxOnly)).toEqual([])
  expect(routesIn('production', table).length).toBe(ROUTES.length - SANDBOX_ONLY.length)
})

test('4: all other calls are there', async () => {
  await expectServed(await production.send(await production.sign({ body: irisPayment() })), production.keySet)
})

test.each([{ layers: [] }, { plainPort: 0 }, { tlsMin: '1.2' as const }])(
  '5, 5.1: it does not start with %j',
  async less => {
    await expect(openSandbox({ config: { environment: 'production', ...less } })).rejects.toThrow(StartError)
  },
)
