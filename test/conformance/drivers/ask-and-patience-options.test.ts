import { expect, test } from 'vitest'
import { durationSeconds } from '../../../contracts/harness/profile/parse-and-format-iso-duration.ts'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { startTestSimulator } from '../../support/caller-stopped-simulator.ts'
import { runCertifyInProcess } from '../run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../run-suites.ts'
import { writeProfileWithoutControl } from './certify-without-control.ts'

test.each(['run', 'plan', 'scout'])('%s --patience overrides the profile, and must be a duration', async word => {
  const { code, err } = await runCertifyInProcess(word, '--profile', SIMULATOR_PROFILE, '--patience', '10m')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'The patience "10m" is no time: give an ISO 8601 duration of days, hours, minutes and seconds such as PT10M.\n',
  })
})

test.each(['run', 'plan', 'scout'])('%s --ask without a terminal is refused before any call', async word => {
  const { code, err } = await runCertifyInProcess(word, '--profile', SIMULATOR_PROFILE, '--ask')
  expect({ code, err }).toEqual({
    code: 2,
    err: '--ask needs a terminal at which a person answers: run it in one, or leave --ask out.\n',
  })
})

test.each([
  ['PT10M', 600],
  ['P1DT2H3S', 93_603],
  ['P', Number.NaN],
  ['PT', Number.NaN],
  ['P1DT', Number.NaN],
  ['PT-1S', Number.NaN],
])('the duration %s has %d seconds', (duration, seconds) => {
  expect(durationSeconds(duration)).toBe(seconds)
})

test('options of the command line take precedence and leave the other lines', async () => {
  const simulator = await startTestSimulator()
  try {
    const codes = { approve: '990001' }
    const file = writeProfileWithoutControl(simulator, { shopper: { codes }, patience: 'PT1S' })
    expect(readProfile(file, { patience: 'PT10M', ask: true })).toMatchObject({
      patience: 'PT10M',
      shopper: { codes, ask: true },
    })
    expect(readProfile(file)).toMatchObject({ patience: 'PT1S', shopper: { codes } })
  } finally {
    await simulator.stop()
  }
})
