import { readFileSync } from 'node:fs'
import { createConfig, lint } from '@redocly/openapi-core'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createControlApi } from '../../simulator/control/control-api.ts'
import { createTurnsInOrganizations } from '../../simulator/control/take-turns-in-organization.ts'
import {
  CONTROL_DESCRIPTION_FILE,
  contentOf,
  controlDescription,
  describedCalls,
  descriptionMismatches,
  schemaErrors,
} from '../support/control-description.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'

const served = (): string[] => {
  const turns = createTurnsInOrganizations()
  const parts = { controlPlane: { organizations: {} }, baseUrls: {}, token: {}, turns }
  const control = new Hono().route('/control', createControlApi(parts as never))
  const calls = control.routes.filter(({ method }) => method !== 'ALL')
  return [...new Set(calls.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`))]
}

describe('the OpenAPI description of control', () => {
  test('describes exactly the calls that are served', () => {
    expect(describedCalls.map(({ call }) => call).sort()).toEqual(served().sort())
  })

  test('passes the OpenAPI linter', async () => {
    const rules = { 'info-license': 'off', 'no-server-example.com': 'off' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lint({ ref: CONTROL_DESCRIPTION_FILE.pathname, config })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
  })

  test.each(Object.keys(controlDescription.components.schemas))('the schema %s compiles in strict mode', schema => {
    expect(schemaErrors({ $ref: `#/components/schemas/${schema}` }, null)).toBeInstanceOf(Array)
  })

  test('paths begin with the organization they concern, and every error has the Error schema', () => {
    for (const { path, operation } of describedCalls) {
      expect(path).toMatch(
        /^\/control(\/organizations(\/\{organizationId\}.*)?|\/journal(\/stream|\.har)?|\/scenarios.*|\/drills|\/backup|\/openapi\.\w+)?$/,
      )
      for (const [status, response] of Object.entries(operation.responses))
        if (Number(status) >= 400)
          expect(contentOf(response)['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' })
    }
  })

  test('its examples match their schemas', () => {
    const parts = describedCalls.flatMap(({ operation }) => [
      operation.requestBody,
      ...Object.values(operation.responses),
    ])
    const shown = parts.flatMap(part => Object.values(contentOf(part)))
    const faults = shown.flatMap(({ schema, example, examples = {} }) =>
      [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].flatMap(
        value => schemaErrors(schema, value),
      ),
    )
    expect(faults).toEqual([])
  })

  test('rejects a body, a status and a call that it does not describe', () => {
    const answer = { method: 'GET', target: '/control/organizations', status: 200, body: '{"organizations":[]}' }
    expect(descriptionMismatches(answer)).toEqual([])
    expect(descriptionMismatches({ ...answer, body: '{"organizations":{}}' })).toHaveLength(1)
    expect(descriptionMismatches({ ...answer, status: 202 })).toHaveLength(1)
    expect(descriptionMismatches({ ...answer, method: 'PATCH' })).toHaveLength(1)
    const made = { ...answer, method: 'POST', status: 409, body: '{"error":"No."}' }
    expect(descriptionMismatches(made)).toEqual([])
    expect(descriptionMismatches({ ...made, body: '{"message":"No."}' })).not.toEqual([])
  })
})

test('control serves its description as YAML and JSON, and an index that links to it', async () => {
  const { pagesUrl } = await startScopedSimulator()
  const index = await (await fetch(`${pagesUrl}/control`)).json()
  const links = Object.values((index as { links: Record<string, string> }).links)
  expect(links).toContain('/control/openapi.yaml')
  for (const link of links) expect(describedCalls.map(({ path }) => path)).toContain(link)
  const yaml = await fetch(`${pagesUrl}/control/openapi.yaml`)
  expect(yaml.headers.get('content-type')).toContain('yaml')
  const text = await yaml.text()
  expect(index).toMatchObject({ version: parse(text).info.version })
  expect(text).toBe(readFileSync(CONTROL_DESCRIPTION_FILE, 'utf8'))
  expect(await (await fetch(`${pagesUrl}/control/openapi.json`)).json()).toEqual(parse(text))
})
