import { readFileSync } from 'node:fs'
import { createConfig, lint } from '@redocly/openapi-core'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createControl } from '../../simulator/control/control.ts'
import { runningSimulator } from '../support/running.ts'
import { contentOf, described, description, disagreements, FILE, faultsBy } from './description.ts'

const served = (): string[] => {
  const parts = { operator: { organizations: {} }, addresses: {}, onFault: () => undefined, token: undefined }
  const control = new Hono().route('/control', createControl(parts as never))
  const calls = control.routes.filter(({ method }) => method !== 'ALL')
  return [...new Set(calls.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`))]
}

describe('the description of control', () => {
  test('tells every call that is served, and no other', () => {
    expect(described.map(({ call }) => call).sort()).toEqual(served().sort())
  })

  test('lints clean', async () => {
    const rules = { 'info-license': 'off', 'no-server-example.com': 'off' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lint({ ref: FILE.pathname, config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  })

  test.each(Object.keys(description.components.schemas))('%s compiles in strict mode', schema => {
    expect(faultsBy({ $ref: `#/components/schemas/${schema}` }, null)).toBeInstanceOf(Array)
  })

  test('every path begins with the organization that it is about, and every refusal is one sentence', () => {
    for (const { path, operation } of described) {
      expect(path).toMatch(
        /^\/control(\/organizations(\/\{organizationId\}.*)?|\/journal(\/stream)?|\/scenarios.*|\/drills|\/openapi\.\w+)?$/,
      )
      for (const [status, response] of Object.entries(operation.responses))
        if (Number(status) >= 400)
          expect(contentOf(response)['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' })
    }
  })

  test('every example is valid', () => {
    const parts = described.flatMap(({ operation }) => [operation.requestBody, ...Object.values(operation.responses)])
    const shown = parts.flatMap(part => Object.values(contentOf(part)))
    const faults = shown.flatMap(({ schema, example, examples = {} }) =>
      [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].flatMap(
        value => faultsBy(schema, value),
      ),
    )
    expect(faults).toEqual([])
  })

  test('finds fault with an answer, a status and a call that it does not tell', () => {
    const answer = { method: 'GET', target: '/control/organizations', status: 200, body: '{"organizations":[]}' }
    expect(disagreements(answer)).toEqual([])
    expect(disagreements({ ...answer, body: '{"organizations":{}}' })).toHaveLength(1)
    expect(disagreements({ ...answer, status: 202 })).toHaveLength(1)
    expect(disagreements({ ...answer, method: 'PATCH' })).toHaveLength(1)
    const made = { ...answer, method: 'POST', status: 409, body: '{"error":"No."}' }
    expect(disagreements(made)).toEqual([])
    expect(disagreements({ ...made, body: '{"message":"No."}' })).not.toEqual([])
  })
})

test('control serves its description, as YAML and as JSON, and an index that leads to it', async () => {
  const { pagesUrl } = await runningSimulator()
  const index = await (await fetch(`${pagesUrl}/control`)).json()
  const links = Object.values((index as { links: Record<string, string> }).links)
  expect(links).toContain('/control/openapi.yaml')
  for (const link of links) expect(described.map(({ path }) => path)).toContain(link)
  const yaml = await fetch(`${pagesUrl}/control/openapi.yaml`)
  expect(yaml.headers.get('content-type')).toContain('yaml')
  const text = await yaml.text()
  expect(index).toMatchObject({ version: parse(text).info.version })
  expect(text).toBe(readFileSync(FILE, 'utf8'))
  expect(await (await fetch(`${pagesUrl}/control/openapi.json`)).json()).toEqual(parse(text))
})
