import { expect, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { CONTROL_ROLES } from '../../simulator/organizations/control-token-registry.ts'
import { controlClient } from '../support/control-client.ts'
import { describedCalls } from '../support/control-description.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const OPERATOR = { authorization: 'Bearer a-token-of-the-operator' }

/** Starts a sandbox with a control token and an organization; gives the texts of tokens of each role there. */
const open = async () => {
  const simulator = await startScopedSimulator({ controlToken: 'a-token-of-the-operator' })
  const ask = controlClient(simulator)
  await ask('POST', 'organizations', { id: 'shop' }, OPERATOR)
  const made = CONTROL_ROLES.map(async role => {
    const { body } = await ask('POST', 'organizations/shop/control-tokens', { name: role, role }, OPERATOR)
    return [role, String(body.token)] as const
  })
  return { simulator, ask, tokens: new Map<string, string>(await Promise.all(made)) }
}

const CREATE =
  'Only the operator creates organizations: use shop, by ASSAY_ORGANIZATION for the fixtures of Playwright, organization("shop") in other tests, --organization of a command.'
const ELSEWHERE = 'This token is for shop alone: use that, or ask the operator for a token of the other organization.'
const needs = (role: string, needed: string) =>
  `This token has the role ${role} in shop, and this takes the role ${needed}: ask the operator for such a token.`
const operatorOnly = (role: string) =>
  `This token has the role ${role} in shop, and no token of an organization permits this: ask the operator to do it.`

test.each<[method: string, path: string, role: string, refusal: string]>([
  ['POST', 'organizations', 'act', CREATE],
  ['POST', 'organizations', 'admin', CREATE],
  ['GET', 'organizations/other/clock', 'act', ELSEWHERE],
  ['DELETE', 'organizations/demo-merchant', 'admin', ELSEWHERE],
  ['POST', 'organizations/shop/reset', 'read', needs('read', 'act')],
  ['GET', 'organizations/shop/kit', 'read', needs('read', 'act')],
  ['GET', 'organizations/shop/control-tokens', 'act', needs('act', 'admin')],
  ['DELETE', 'organizations/shop', 'act', needs('act', 'admin')],
  ['PUT', 'organizations/shop/snapshots/a', 'admin', operatorOnly('admin')],
  ['GET', 'backup', 'admin', operatorOnly('admin')],
  ['GET', 'journal', 'read', operatorOnly('read')],
])('%s /control/%s with the role %s is refused with a cure that helps', async (method, path, role, refusal) => {
  const { ask, tokens } = await open()
  const { status, body } = await ask(method, path, undefined, { authorization: `Bearer ${tokens.get(role)}` })
  expect([status, body]).toEqual([403, { error: refusal }])
})

test('a refusal for want of a role names one that permits the call', async () => {
  const { simulator, tokens } = await open()
  const refusalAs = async (role: string, method: string, path: string) => {
    const headers = { authorization: `Bearer ${tokens.get(role)}` }
    const response = await fetch(`${simulator.pagesUrl}${path}`, { method: method.toUpperCase(), headers })
    return response.status === 403 ? response.text() : ''
  }
  const isLong = (path: string) => /listen|wait|stream/.test(path)
  for (const { method, path } of describedCalls) {
    if (!path.includes('{organizationId}') || isLong(path) || method === 'delete') continue
    const asked = path.replace('{organizationId}', 'shop').replaceAll(/\{\w+\}/g, 'x')
    const [, needed] = /takes the role (\w+)/.exec(await refusalAs('read', method, asked)) ?? []
    if (needed) expect([asked, await refusalAs(needed, method, asked)]).toEqual([asked, ''])
  }
})

test('a test that creates an organization under a token of one is told to use that', async () => {
  const { simulator, tokens } = await open()
  const sandbox = connectSandbox({ url: simulator.pagesUrl, token: tokens.get('act') ?? '' })
  await expect(sandbox.create()).rejects.toThrow(CREATE)
  expect((await sandbox.organization('shop')).id).toBe('shop')
})
