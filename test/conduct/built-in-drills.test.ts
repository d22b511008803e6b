import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CONDUCT_RULES } from '../../contracts/conduct/judge-conduct.ts'
import schema from '../../scenarios/drills/drill.schema.json' with { type: 'json' }
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { controlClient } from '../support/control-client.ts'

const folder = join(ROOT, 'scenarios/drills')
const files = readdirSync(folder).filter(name => name.endsWith('.yaml'))
const validate = new Ajv2020({ allErrors: true }).compile(schema)
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'))

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

test.each(files)('%s matches its schema', file => {
  expect(validate(read(file)) || validate.errors).toBe(true)
})

test('the schema refuses invalid drills', () => {
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

test('drill names are unique and their rules exist', () => {
  const names = readBuiltInDrills().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const known = CONDUCT_RULES.map(({ id }) => id)
  for (const { name, rules } of readBuiltInDrills())
    expect([name, rules.filter(id => !known.includes(id))]).toEqual([name, []])
})

describe('beginning a drill arms its faults and delivery plans, and its end disarms them', () => {
  const ask = (method: string, path: string, body?: object) =>
    controlClient(simulator)(method, `organizations/demo-merchant/${path}`, body)
  const armed = async () => [
    (await ask('GET', 'faults')).body.faults.length,
    (await ask('GET', 'delivery-plans')).body.deliveryPlans.length,
  ]
  test.each(readBuiltInDrills())('$name', async ({ name, faults, plans }) => {
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
    '5.2: keys whose validity KEY_ROTATION shortened are valid for a year again after %s; the new keys stay in the kit',
    async (_, over) => {
      const before = (await ask('GET', 'kit')).body.signingKeys
      const { since } = (await ask('POST', 'drills/KEY_ROTATION/begin', {})).body
      await ask('POST', 'drills/KEY_ROTATION/between', {})
      const shortened = (await endsOfKeys()).filter(days => days < 365)
      expect(shortened.length).toBe((await endsOfKeys()).length - before.length)
      await ask('POST', 'drills/KEY_ROTATION/between', {}) // adds no further keys
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

  test('5.2: KEY_ROTATION rotates again after a merchant has deregistered a key whose validity it shortened', async () => {
    const kitKeys = async () => (await ask('GET', 'kit')).body.signingKeys as { keyId: string }[]
    const rotate = async () => {
      await ask('POST', 'drills/KEY_ROTATION/begin', {})
      await ask('POST', 'drills/KEY_ROTATION/between', {})
    }
    const [old] = await kitKeys()
    await rotate()
    expect((await ask('DELETE', `signing-keys/${old?.keyId}`)).status).toBe(200)
    await ask('POST', 'reset')
    const before = await kitKeys()
    await rotate()
    expect(await kitKeys()).not.toEqual(before)
  })
})
