import { expect, test } from 'vitest'
import { generatedPages } from '../../docs/generated-pages.ts'
import { createBuiltInCatalogue, openScenarioCatalogue } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { controlClient } from '../support/control-client.ts'
import { schemaErrors } from '../support/control-description.ts'
import { startScopedSimulator } from '../support/test-scoped-simulator.ts'
import { scenarioFileText, writeScenarioFolder } from './write-scenario-files.ts'

const OWN = scenarioFileText(`name: MINE
title: Mine.
providers: [IRIS]
magic: '9001'
steps:
  initiate: { outcome: pending, providerDetails: { expiresAt: '2030-01-31T12:00:00Z' } }
  refund: { outcome: accepted, later: { outcome: approved, after: P1DT1H } }
dispute: { after: PT1M, outcome: won, decidedAfter: PT2S }
webhooks: [{ do: delay, after: PT90S }]`)

test('2.7, E2: control lists all scenarios with their magic values, built-in and own', async () => {
  const scenarios = writeScenarioFolder({ 'own.yaml': OWN })
  const ask = controlClient(await startScopedSimulator({ scenarios }))
  const { status, body } = await ask('GET', 'scenarios')
  expect(status).toBe(200)
  expect(schemaErrors({ $ref: '#/components/schemas/Scenarios' }, body)).toEqual([])
  const names = body.scenarios.map(({ name }: { name: string }) => name)
  expect(names).toEqual((await openScenarioCatalogue(scenarios)).all.map(({ name }) => name))
  expect((await ask('GET', 'scenarios/OK')).body).toEqual({
    name: 'OK',
    title: createBuiltInCatalogue().find('OK')?.title,
    clauses: ['2.7', 'E3'],
    providers: ['BLIK', 'IRIS'],
    magic: { blikCode: '990000', amount: 9_990_000 },
    steps: {},
  })
})

test('control returns a scenario in the notation of scenario files', async () => {
  const ask = controlClient(await startScopedSimulator({ scenarios: writeScenarioFolder({ 'own.yaml': OWN }) }))
  expect((await ask('GET', 'scenarios/MINE')).body).toEqual({
    name: 'MINE',
    title: 'Mine.',
    clauses: [],
    providers: ['IRIS'],
    magic: { amount: 9_999_001 },
    steps: {
      initiate: { outcome: 'pending', providerDetails: { expiresAt: '2030-01-31T12:00:00.000Z' } },
      refund: { outcome: 'accepted', later: { outcome: 'approved', after: 'P1DT1H' } },
    },
    dispute: { after: 'PT1M', outcome: 'won', decidedAfter: 'PT2S' },
    webhooks: [{ do: 'delay', after: 'PT1M30S' }],
  })
})

test('an unknown name is 404 with similar names, and control serves the JSON schema', async () => {
  const ask = controlClient(await startScopedSimulator())
  const { status, body } = await ask('GET', 'scenarios/INSUFICIENT_FUNDS')
  expect([status, body.error]).toEqual([
    404,
    expect.stringMatching(/^There is no scenario INSUFICIENT_FUNDS: did you mean INSUFFICIENT_FUNDS or .*\?$/),
  ])
  expect((await ask('GET', 'scenarios/XXXX')).body.error).toBe(
    'There is no scenario XXXX: GET /control/scenarios lists them.',
  )
  const schema = await ask('GET', 'scenarios/scenario.schema.json')
  expect(schema.body).toEqual(JSON.parse(generatedPages()['scenarios/scenario.schema.json'] ?? ''))
})
