import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS } from '../../contracts/operations.ts'
import { ROUTES, routesOfEnvironment } from '../../simulator/http/routes.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { expectRefusal, expectServed } from '../support/api-response-checks.ts'
import { irisInitiateBody, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let production: RawSandbox

beforeAll(async () => {
  production = await openRawSandbox({ config: { environment: 'production' } })
})

afterAll(async () => {
  expect(production.faults).toEqual([])
  await production.close()
})

const SANDBOX_ONLY = ROUTES.filter(({ sandboxOnly }) => sandboxOnly)

test('1, 2.7, D-72: sandbox-only operations are 404 in production', async () => {
  for (const { operation } of SANDBOX_ONLY) {
    const { method, path } = OPERATIONS[operation]
    const message = await production.sign({ method, target: path, body: {} })
    const { statusInfo } = await expectRefusal(await production.send(message), production.keySet, '404/4000')
    expect(statusInfo.message).toBe(`There is no ${method} ${path} here: it exists in a sandbox only.`)
  }
  const [some] = ROUTES
  const table = [...ROUTES, ...(some ? [{ ...some, sandboxOnly: true as const }] : [])]
  expect(routesOfEnvironment('sandbox', table)).toEqual(table)
  expect(routesOfEnvironment('production', table).filter(({ sandboxOnly }) => sandboxOnly)).toEqual([])
  expect(routesOfEnvironment('production', table).length).toBe(ROUTES.length - SANDBOX_ONLY.length)
})

test('4: initiate is served in production', async () => {
  await expectServed(await production.send(await production.sign({ body: irisInitiateBody() })), production.keySet)
})

test.each([{ layers: [] }, { plainPort: 0 }, { tlsMin: '1.2' as const }])(
  '5, 5.1: production does not start with %j',
  async less => {
    await expect(openRawSandbox({ config: { environment: 'production', ...less } })).rejects.toThrow(StartError)
  },
)
