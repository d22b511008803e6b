import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { signBase } from '../../contracts/protocol/sign-messages.ts'
import { COVERED_COMPONENTS, requestComponent, signatureBase } from '../../contracts/protocol/signature-base.ts'
import { writeParameters } from '../../contracts/protocol/signature-input.ts'
import { KEY_PAIRS } from './generated-key-pairs.ts'
import { VECTORS_CREATED, verifyAtVectorTime } from './signature-vectors.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-openssl-'))
afterAll(() => rmSync(folder, { recursive: true }))

const openssl = (...argv: string[]) => spawnSync('openssl', argv, { cwd: folder })
const present = openssl('version').status === 0

describe.skipIf(!present)(`5.2: the openssl command${present ? '' : ' (it is not on this machine)'}`, () => {
  const parts = { method: 'GET', target: '/payments/1/status', host: 'api.example' }
  const baseFor = (keyId: string) => {
    const parameters = writeParameters(COVERED_COMPONENTS.requestWithoutBody, keyId, VECTORS_CREATED)
    const text = signatureBase(
      COVERED_COMPONENTS.requestWithoutBody,
      name => requestComponent(parts, name),
      parameters,
      'literal',
    )
    return { parameters, text }
  }

  test.each(KEY_PAIRS)('signs on $algorithm.curve what we verify', async pair => {
    const { parameters, text } = baseFor(pair.keyId)
    writeFileSync(join(folder, 'private.pem'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(join(folder, 'base'), text)
    const { stdout, status } = openssl('dgst', `-${pair.algorithm.hash}`, '-sign', 'private.pem', 'base')
    expect(status).toBe(0)
    const signature = `service_sig=:${stdout.toString('base64')}:`
    const headers = { host: parts.host, 'signature-input': `service_sig=${parameters}`, signature }
    const verdict = await verifyAtVectorTime({ ...parts, headers }, { keyFor: () => pair })
    expect(verdict).toMatchObject({ ok: true, reading: 'literal', encoding: 'der' })
  })

  test.each(KEY_PAIRS)('verifies on $algorithm.curve what we sign', async pair => {
    const { text } = baseFor(pair.keyId)
    writeFileSync(join(folder, 'public.pem'), pair.publicKey.export({ type: 'spki', format: 'pem' }))
    writeFileSync(join(folder, 'base'), text)
    writeFileSync(join(folder, 'signature'), await signBase(text, pair, 'der'))
    const argv = ['dgst', `-${pair.algorithm.hash}`, '-verify', 'public.pem', '-signature', 'signature']
    expect(openssl(...argv, 'base').stdout.toString()).toContain('Verified OK')
    writeFileSync(join(folder, 'base'), `${text}\n`)
    expect(openssl(...argv, 'base').status).toBe(1)
  })
})
