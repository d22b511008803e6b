import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { completedFields } from '../../contracts/dialect/complete-profile-fields.ts'
import { createResponseLens } from '../../contracts/dialect/response-lens.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { idsWithVerdict, runSuites, SIMULATOR_PROFILE } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { linesOf } from './lines-of-test-dialects.ts'

test.each(['snake-case', 'bookkeeping'])('the members of %s say where the fields of its checks are', name => {
  const { fields: { providers, ...fields } = {}, ...lines } = linesOf(name)
  const withItems = { ...lines, fields: { ...(providers && { providers }) } } // an item's name that no other line tells
  expect(completedFields(withItems)).toMatchObject(fields)
})

test('a line of fields wins over one of members, and a profile with neither keeps what it has', () => {
  const fields = { status: { state: '/where' } }
  expect(completedFields({ naming: 'snake_case', fields })?.status).toEqual({
    state: '/where',
    reasonCode: '/status_info/reason_code',
  })
  expect(completedFields({ fields })).toBe(fields)
  expect(completedFields({})).toBeUndefined()
})

const REFUSAL = { status: 'ERROR', statusInfo: { reasonCode: '4001', message: 'not there' }, callId: 'c' }

// biome-ignore format: a table reads by its columns
test.each([
  [{},                                                   { status: 'ERROR', status_info: { reason_code: '4001', message: 'not there' }, call_id: 'c' }],
  [{ members: { refusal: { statusInfo: '/fault' } } },   { status: 'ERROR', fault: { reason_code: '4001', message: 'not there' }, call_id: 'c' }],
  [{ errors: { reasonCode: '/statusInfo/reasonCode' } }, { status: 'ERROR', statusInfo: { reasonCode: '4001', message: 'not there' }, call_id: 'c' }],
  [{ errors: { reasonCode: '/fault/no' } },              { fault: { no: '4001', message: 'not there' }, call_id: 'c' }],
])('a refusal in snake case has all its members in one form: %j', (lines, spoken) => {
  const lens = createResponseLens({ naming: 'snake_case', ...lines })
  expect(lens.write('refusal', REFUSAL)).toEqual(spoken)
  expect(lens.read('refusal', spoken)).toMatchObject({ statusInfo: REFUSAL.statusInfo, callId: 'c' })
})

test('a profile that names members alone is certified', { timeout: 120_000 }, async () => {
  const file = join(temporaryFolder(), 'ours.yaml')
  const { fields: _, ...own } = readProfile(SIMULATOR_PROFILE)
  writeFileSync(file, stringify({ ...own, file: undefined, naming: 'snake_case', members: { all: { '': '/data' } } }))
  const simulator = await startTestSimulator({ dialect: file })
  try {
    const { apiUrl: baseUrl, kitFolder: kit, pagesUrl: control } = simulator
    const chosen = ['VAL-01', 'LIF-01', 'LIF-08', 'LIF-09', 'EVT-01', 'RDS-03']
    const results = await runSuites(readProfile(file, { baseUrl, kit, control }), chosen)
    expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(chosen))
  } finally {
    await simulator.stop()
  }
})
