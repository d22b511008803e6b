import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CONDUCT_RULES } from '../../contracts/conduct/judge.ts'
import schema from '../../scenarios/drills/drill.schema.json' with { type: 'json' }
import { builtInDrills } from '../../simulator/scenarios/drills.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { ROOT } from '../tidy/sources.ts'

const folder = join(ROOT, 'scenarios/drills')
const files = readdirSync(folder).filter(name => name.endsWith('.yaml'))
const validate = new Ajv2020({ allErrors: true }).compile(schema)
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'))

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test.each(files)('%s is as its schema says', file => {
  expect(validate(read(file)) || validate.errors).toBe(true)
})

test('the schema refuses what it does not know', () => {
  const [drill] = read(files[0] ?? '').drills
  // biome-ignore format: a table reads by its columns
  const wrong = [
    { ...drill, name: 'lower case' },
    { ...drill, rules: [] },
    { ...drill, rules: ['SIG-01'] },
    { ...drill, surprise: true },
    { ...drill, faults: [{ operation: 'status', kind: 'reset' }] },
    { ...drill, between: [{ advance: '8 days' }] },
    { ...drill, ask: undefined },
  ]
  for (const one of wrong) expect(validate({ drills: [one] }), JSON.stringify(one)).toBe(false)
})

test('names are there once, and every rule is one that there is', () => {
  const names = builtInDrills().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const known = CONDUCT_RULES.map(({ id }) => id)
  for (const { name, rules } of builtInDrills())
    expect([name, rules.filter(id => !known.includes(id))]).toEqual([name, []])
})

describe('what a drill arms is armed, and its end leaves nothing', () => {
  const ask = async (method: string, path: string, body?: object) => {
    const init = body ? { method, body: JSON.stringify(body) } : { method }
    const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/${path}`, init)
    return { status: answer.status, body: await answer.json() }
  }
  const armed = async () => [
    (await ask('GET', 'faults')).body.faults.length,
    (await ask('GET', 'delivery-plans')).body.deliveryPlans.length,
  ]
  test.each(builtInDrills())('$name', async ({ name, faults, plans }) => {
    const begun = await ask('POST', `drills/${name}/begin`, {})
    expect([begun.status, await armed()]).toEqual([201, [faults.length, plans.length]])
    expect((await ask('POST', `drills/${name}/between`, {})).status).toBe(200)
    expect((await ask('POST', `drills/${name}/end`, { since: begun.body.since })).status).toBe(200)
    expect(await armed()).toEqual([0, 0])
  })

  const endsOfKeys = async (): Promise<readonly number[]> => {
    const { signingKeys } = (await ask('GET', 'signing-keys')).body as {
      signingKeys: { registeredAt: string; expiresAt: string }[]
    }
    return signingKeys.map(key => (Date.parse(key.expiresAt) - Date.parse(key.registeredAt)) / 86_400_000)
  }
  test.each([
    ['its end', (since: string) => ask('POST', 'drills/KEY_ROTATION/end', { since })],
    ['another drill', () => ask('POST', 'drills/DECLINED/begin', {})],
    ['a reset', () => ask('POST', 'reset')],
  ])(
    '5.2: keys that KEY_ROTATION lets end hold for their year again after %s; the new ones stay in the kit',
    async (_, over) => {
      const before = (await ask('GET', 'kit')).body.signingKeys
      const { since } = (await ask('POST', 'drills/KEY_ROTATION/begin', {})).body
      await ask('POST', 'drills/KEY_ROTATION/between', {})
      const shortened = (await endsOfKeys()).filter(days => days < 365)
      expect(shortened.length).toBe((await endsOfKeys()).length - before.length)
      await ask('POST', 'drills/KEY_ROTATION/between', {}) // the same keys go on
      expect((await endsOfKeys()).filter(days => days < 365)).toEqual(shortened)
      const { signingKeys } = (await ask('GET', 'kit')).body
      expect(signingKeys.map(({ algorithm }: { algorithm: string }) => algorithm)).toEqual(
        before.map(({ algorithm }: { algorithm: string }) => algorithm),
      )
      await over(since)
      expect(new Set(await endsOfKeys())).toEqual(new Set([365]))
      expect((await ask('GET', 'kit')).body.signingKeys).toEqual(signingKeys)
    },
  )
})
