import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { createCertificateRequest, newKeyPair, toIdentity } from '../support/generate-keys-and-certificates.ts'
import { runSuites, simulatorProfileAt } from './run-suites.ts'

/** The verdict on an expired certificate (5.5), and the reason where there is one. */
const judged = async (change: (simulator: TestSimulator, profile: Profile) => Promise<Profile> | Profile) => {
  const simulator = await startTestSimulator()
  try {
    const results = await runSuites(await change(simulator, simulatorProfileAt(simulator)), ['MTLS-06'])
    return results.find(({ id }) => id === 'MTLS-06')
  } finally {
    await simulator.stop()
  }
}

const withoutControl = ({ control: _, ...profile }: Profile): Profile => profile

test.each<[string, (profile: Profile) => Profile]>([
  ['without control', withoutControl],
  ['in production', profile => ({ ...profile, target: { ...profile.target, environment: 'production' } })],
])('%s, and without an expired certificate in the profile, the check names the line to add', async (_where, change) => {
  const result = await judged((_simulator, profile) => change(profile))
  expect([result?.verdict, result?.reason]).toEqual(['untestable', expect.stringMatching(/the line expiredIdentity/)])
})

test.each([
  [-60_000, 'pass'],
  [60_000, 'fail'],
])('a profile’s expiredIdentity that expires in %d ms: %s', async (life, verdict) => {
  const result = await judged(async (simulator, profile) => {
    const { privateKey } = newKeyPair()
    const body = { csr: await createCertificateRequest(privateKey), validTo: new Date(Date.now() + life).toISOString() }
    const identity = toIdentity(
      (await organizationControl(simulator).post('certificates', body)).body.certificate,
      privateKey,
    )
    const file = (name: string, text: string) => {
      writeFileSync(join(simulator.dataDir, name), text)
      return `file:${join(simulator.dataDir, name)}`
    }
    return {
      ...profile,
      expiredIdentity: {
        certificate: file('late.pem', identity.certificate),
        privateKey: file('late-key.pem', identity.privateKey),
      },
    }
  })
  expect(result?.verdict).toBe(verdict)
})
