import { expect, test } from 'vitest'
import { printedPages } from '../../docs/pages.ts'
import { builtInCatalogue, openCatalogue } from '../../simulator/scenarios/load.ts'
import { asking } from '../control/ask.ts'
import { faultsBy } from '../control/description.ts'
import { runningSimulator } from '../support/running.ts'
import { file, folderOf } from './write-folder.ts'

const OWN = file(`name: MINE
title: Mine.
providers: [IRIS]
magic: '9001'
steps:
  initiate: { outcome: pending, providerDetails: { expiresAt: '2030-01-31T12:00:00Z' } }
  refund: { outcome: accepted, later: { outcome: approved, after: P1DT1H } }
dispute: { after: PT1M, outcome: won, decidedAfter: PT2S }
webhooks: [{ do: delay, after: PT90S }]`)

test('2.7, E2: control lists every scenario with the values that ask for it, those of the own folder too', async () => {
  const scenarios = folderOf({ 'own.yaml': OWN })
  const ask = asking(await runningSimulator({ scenarios }))
  const { status, body } = await ask('GET', 'scenarios')
  expect(status).toBe(200)
  expect(faultsBy({ $ref: '#/components/schemas/Scenarios' }, body)).toEqual([])
  const names = body.scenarios.map(({ name }: { name: string }) => name)
  expect(names).toEqual((await openCatalogue(scenarios)).all.map(({ name }) => name))
  expect((await ask('GET', 'scenarios/OK')).body).toEqual({
    name: 'OK',
    title: builtInCatalogue().find('OK')?.title,
    clauses: ['2.7', 'E3'],
    providers: ['BLIK', 'IRIS'],
    magic: { blikCode: '990000', amount: 9_990_000 },
    steps: {},
  })
})

test('a scenario is told as its file would write it', async () => {
  const ask = asking(await runningSimulator({ scenarios: folderOf({ 'own.yaml': OWN }) }))
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

test('a name that is none is answered with the nearest, and the schema is there for editors', async () => {
  const ask = asking(await runningSimulator())
  const { status, body } = await ask('GET', 'scenarios/INSUFICIENT_FUNDS')
  expect([status, body.error]).toEqual([
    404,
    expect.stringMatching(/^There is no scenario INSUFICIENT_FUNDS: did you mean INSUFFICIENT_FUNDS or .*\?$/),
  ])
  expect((await ask('GET', 'scenarios/XXXX')).body.error).toBe(
    'There is no scenario XXXX: GET /control/scenarios lists them.',
  )
  const schema = await ask('GET', 'scenarios/scenario.schema.json')
  expect(schema.body).toEqual(JSON.parse(printedPages()['scenarios/scenario.schema.json'] ?? ''))
})
