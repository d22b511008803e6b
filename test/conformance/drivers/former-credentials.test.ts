import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { organizationControl } from '../../support/control-client.ts'
import { createCertificateRequest, newKeyPair, toIdentity } from '../../support/generate-keys-and-certificates.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runSuites, simulatorProfileAt } from '../run-suites.ts'
import { certifyWithoutControl } from './certify-without-control.ts'

const CHECKS = ['MTLS-13', 'SIG-33', 'SIG-43']
let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

const reference = (text: string): string => {
  const file = join(temporaryFolder(), 'secret.pem')
  writeFileSync(file, text)
  return `file:${file}`
}

const control = () => organizationControl(simulator)

/** Registers a signing key; deregisters it where it shall no longer count. */
const registeredKey = async (counts: boolean) => {
  const { pem, privateKey } = newKeyPair()
  const { keyId } = (await control().post('signing-keys', { publicKey: pem })).body
  if (!counts) await control().delete(`signing-keys/${keyId}`)
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { keyId, algorithm: 'ECDSA_SHA_256', privateKey: reference(text) }
}

const certificate = async (counts: boolean) => {
  const { privateKey } = newKeyPair()
  const issued = (await control().post('certificates', { csr: await createCertificateRequest(privateKey) })).body
  if (!counts) await control().delete(`certificates/${encodeURIComponent(issued.fingerprint)}`)
  const identity = toIdentity(issued.certificate, privateKey)
  return { certificate: reference(identity.certificate), privateKey: reference(identity.privateKey) }
}

test('without control and without lines the checks name the lines', async () => {
  const told = await certifyWithoutControl(simulator, {}, CHECKS)
  expect(told['MTLS-13']).toMatch(
    /^untestable: .* a client certificate that was revoked: .* the line revokedIdentity: /,
  )
  expect(told['SIG-33']).toMatch(/^untestable: .* a signing key that was deregistered: .* the line revokedKey: /)
  expect(told['SIG-43']).toMatch(/^untestable: .* a signing key that has expired: .* the line expiredKey: /)
})

test.each([
  [false, 'pass'],
  [true, 'fail: expected a refusal with 401, got HTTP 200'],
])('credentials of the profile that still count (%s): %s', async (counts, verdict) => {
  const key = await registeredKey(counts)
  const lines = { revokedIdentity: await certificate(counts), revokedKey: key, expiredKey: key }
  const told = await certifyWithoutControl(simulator, lines, CHECKS)
  for (const id of ['SIG-33', 'SIG-43']) expect(told[id]).toContain(verdict)
  expect(told['MTLS-13']).toMatch(counts ? /^fail: / : /^pass$/)
})

test('with control the credentials are made for the run', async () => {
  const results = await runSuites(simulatorProfileAt(simulator), CHECKS)
  expect(results.filter(({ id }) => CHECKS.includes(id)).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'MTLS-13 pass',
    'SIG-33 pass',
    'SIG-43 pass',
  ])
})

test('a reference that leads nowhere is told before any call', async () => {
  const lines = { revokedIdentity: { certificate: 'file:nowhere.pem', privateKey: 'file:nowhere.pem' } }
  await expect(certifyWithoutControl(simulator, lines, CHECKS)).rejects.toThrow(
    /There is no readable file \S+nowhere\.pem/,
  )
})
