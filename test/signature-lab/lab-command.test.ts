import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signOutgoing } from '../../contracts/client/send-signed-call.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'
import {
  CURVE_PAIRS,
  type SigningChoices,
  signedRequest,
  toHttpText,
  UNREGISTERED_KEY_PAIR,
} from './sign-requests-with-mistakes.ts'

const COMMAND = join(ROOT, 'bin/assay.js')
const SLOW = { timeout: 60_000 }
const created = Math.floor(Date.now() / 1000)

const assay = (argv: readonly string[], input?: Buffer) =>
  spawnSync(process.execPath, [COMMAND, 'lab', ...argv], {
    encoding: 'utf8',
    cwd: temporaryFolder(),
    ...(input ? { input } : {}),
  })

/** Runs the command asynchronously, so that a simulator in this process can respond. */
const assayBeside = (argv: readonly string[]) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>(resolve => {
    const child = spawn(process.execPath, [COMMAND, 'lab', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', text => (said.stdout += text))
    child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text))
    child.once('close', status => resolve({ status, ...said }))
  })

const fileOf = (changes: Partial<SigningChoices>, name = 'request.http') =>
  write(name, toHttpText(signedRequest({ created, ...changes })))
const write = (name: string, content: string | Buffer) => {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
const { P256 } = CURVE_PAIRS
const KEY = () => write('key.pem', P256.publicKey.export({ type: 'spki', format: 'pem' }))
const PORT = { lines: { '@authority': 'localhost:8443' } }

describe('assay lab', () => {
  test('exits with 0 where the request verifies and 1 where not, without colours when piped', SLOW, () => {
    const good = assay([fileOf({}), '--key', KEY()])
    expect({ status: good.status, stderr: good.stderr }).toEqual({ status: 0, stderr: '' })
    expect(good.stdout).toMatch(/^The signature is right\.\n/)
    const bad = assay([fileOf(PORT), '--key', `${P256.keyId}=${KEY()}`])
    expect(bad.status).toBe(1)
    expect(bad.stdout).toMatch(/^"@authority" includes the port: sign the host alone.*: localhost\.\n/)
    expect(bad.stdout).toContain('  + "@authority": localhost:8443')
    expect(bad.stdout.includes('\x1b')).toBe(false)
  })

  test('5.2: without the body and its digest it shows nothing as right, but asks for the whole request', SLOW, () => {
    const cut = `POST /payments/capture HTTP/1.1
Host: localhost
Content-Type: application/json
Content-Length: 30
Signature-Input: service_sig=("@method");keyid="k";created=${created}
Signature: service_sig=:AAAA:

`
    const { stdout } = assay([write('cut.http', cut)])
    expect(stdout).toContain('# Give the request with its whole body: the digest of it is part of what is signed.\n')
    expect(stdout).not.toContain('openssl dgst')
    const whole = assay([fileOf(PORT), '--key', KEY()]).stdout
    expect(whole).toMatch(/# signing-key\.pem is your private signing key\n.*printf/)
  })

  test('reads standard input and prints JSON', SLOW, () => {
    const { status, stdout } = assay(['--key', KEY(), '--json'], toHttpText(signedRequest({ created, ...PORT })))
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'refused', faults: [{ cause: 'authority-port' }] })
  })

  test('compares with the client’s signature base', SLOW, () => {
    const base = write('base.txt', 'not what was signed')
    const { stdout } = assay([fileOf(PORT), '--key', KEY(), '--base', base])
    expect(stdout).toContain('Note: The base that you gave is not what this signature signs')
  })

  test('5.2: two requests reveal an unknown signing key', SLOW, () => {
    const stranger = { privateKey: UNREGISTERED_KEY_PAIR.privateKey }
    const { stdout } = assay([fileOf(stranger), '--also', fileOf({ ...stranger, created: created - 1 }, 'other.http')])
    expect(stdout).toContain(UNREGISTERED_KEY_PAIR.publicKey.export({ type: 'spki', format: 'pem' }).toString())
  })

  test('one form only where one is wanted', SLOW, () => {
    const { status, stdout } = assay([fileOf({}), '--key', KEY(), '--strict', 'literal'])
    expect(status).toBe(1)
    expect(stdout).toContain('The last line lacks the label service_sig=')
    const raw = assay([fileOf({}), '--key', KEY(), '--strict', 'raw'])
    expect(raw.stdout).toContain(
      'which this deployment does not accept: send the signature as r and s of 32 bytes each',
    )
  })

  test.each([
    [['--nope'], /"assay lab --help" lists the options/],
    [['missing.http'], /missing\.http cannot be read \(ENOENT\): name a file/],
    [['--key', 'missing.pem', '-'], /missing\.pem cannot be read/],
    [['--kit', '/nothing/here', '-'], /cannot be read: start the simulator/],
    [['a', 'b'], /One request at a time/],
    [['--control', 'http://localhost:2', '--call', 'x'], /^No sandbox responds at http:\/\/localhost:2 /],
    [
      ['--control', 'http://localhost:6000', '--call', 'x'],
      /^No call can be made to http:\/\/localhost:6000: fetch blocks its port, as browsers do\. Start the sandbox with another --pages-port\.$/m,
    ],
    [['--control', 'nonsense', '--call', 'x'], /give an address such as/],
    [['-', '--strict', 'both'], /give one of rfc, literal, der, raw/],
    [['-', '--seconds', 'soon'], /give a whole number/],
    [['-', '--key', COMMAND], /is no key that can be read/],
    [['--call', 'x', '--kit', '.'], /own keys and settings: leave out --kit\.$/m],
    [
      ['--control', 'http://localhost:1', '-', '--key', 'a', '--also', 'b', '--strict', 'both', '--seconds', '1'],
      /leave out --key, --also, --strict, --seconds\.$/m,
    ],
    [['-', '--organization', 'x'], /^--organization is for a diagnosis by a simulator: give --control URL too\.$/m],
    [['-', '--base', '-'], /^Stdin is one file: give a name for the request, --base or --also\.$/m],
    [['--also', '-'], /^Stdin is one file/],
  ])('2 and one sentence for %j', SLOW, (argv, sentence) => {
    const { status, stdout, stderr } = assay(argv, Buffer.from('GET / HTTP/1.1\n\n'))
    expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 1 })
    expect(stderr).toMatch(sentence)
  })

  test('exits with 2 for input that is no request', SLOW, () => {
    const { status, stderr } = assay(['--key', KEY()], Buffer.from('good morning'))
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^There is no request line: .*\.\n$/),
    })
  })

  test('--help describes the options', SLOW, () => {
    const { status, stdout } = assay(['--help'])
    expect(status).toBe(0)
    for (const word of ['curl -v', '--kit', '--key', '--base', '--also', '--control', '--call', '--json', 'Exit codes'])
      expect(stdout).toContain(word)
  })

  test(
    'a kit on disk has all keys; a call is picked from a running simulator, its body whole although masked',
    SLOW,
    async () => {
      const simulator = await startScopedSimulator()
      const merchant = merchantOf(simulator)
      const [, p384] = merchant.credentials.signingKeys
      const [p256] = merchant.credentials.signingKeys
      if (!p256 || !p384) throw new Error('no keys')
      await merchant.request(
        'charge',
        { json: { payerDetails: { paymentToken: 'tok-secret' }, text: 'ż' } },
        { sign: (draft, _, options) => signOutgoing(draft, { ...p384, keyId: p256.keyId }, options), token: 'none' },
      )
      const [call] = simulator.controlPlane.journal.latest('demo-merchant', 1)
      expect(call?.request.body).toContain('***')
      const picked = await assayBeside(['--control', simulator.pagesUrl, '--call', call?.callId ?? ''])
      expect(picked.status).toBe(1)
      expect(picked.stdout).toContain(`It was signed with the key ${p384.keyId}`)
      expect(picked.stdout).toMatch(/✓ digest/)
      expect(picked.stdout).toContain('Headers made right just now')
      const pasted = write('call.json', JSON.stringify(call))
      const local = await assayBeside([pasted, '--kit', simulator.kitFolder])
      expect(local.stdout).toContain(`It was signed with the key ${p384.keyId}`)
      expect(local.stdout).toMatch(/– digest/)
      const unknown = await assayBeside(['--control', simulator.pagesUrl, '--call', 'none'])
      expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('has no call of this id') })
    },
  )
})
