import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile.ts'
import { controlOf, identityWith, newPair, requestFor } from '../support/identities.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { certify, profileOf } from './certify.ts'

/** The verdict on an expired certificate (5.5), and the reason where there is one. */
const judged = async (change: (simulator: TestSimulator, profile: Profile) => Promise<Profile> | Profile) => {
  const simulator = await startTestSimulator()
  try {
    const results = await certify(await change(simulator, profileOf(simulator)), ['MTLS-06'])
    return results.find(({ id }) => id === 'MTLS-06')
  } finally {
    await simulator.stop()
  }
}

const withoutControl = ({ control: _, ...profile }: Profile): Profile => profile

test.each<[string, (profile: Profile) => Profile]>([
  ['without control', withoutControl],
  ['in production', profile => ({ ...profile, target: { ...profile.target, environment: 'production' } })],
])('%s, and without a certificate that has ended, the line to add is named', async (_where, change) => {
  const result = await judged((_simulator, profile) => change(profile))
  expect([result?.verdict, result?.reason]).toEqual(['untestable', expect.stringMatching(/the line expiredIdentity/)])
})

test.each([
  [-60_000, 'pass'],
  [60_000, 'fail'],
])('the profile’s certificate that ends %d ms from now: %s', async (life, verdict) => {
  const result = await judged(async (simulator, profile) => {
    const { privateKey } = newPair()
    const body = { csr: await requestFor(privateKey), validTo: new Date(Date.now() + life).toISOString() }
    const identity = identityWith((await controlOf(simulator).post('certificates', body)).body.certificate, privateKey)
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
