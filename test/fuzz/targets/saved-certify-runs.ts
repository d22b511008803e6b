import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { CompactSign, type JWK } from 'jose'
import { main } from '../../../contracts/certify-command.ts'
import { verifyConformanceCertificate } from '../../../contracts/harness/report/conformance-certificate.ts'
import { EXIT_CODES } from '../../../contracts/harness/report/exit-codes.ts'
import { REPORT_FILES } from '../../../contracts/harness/report/report-folder.ts'
import { sha256Digest } from '../../../contracts/harness/report/suite-name-and-digest.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { type JsonEdit, jsonEdits, jsonWith } from '../edited-json.ts'
import { type TextEdit, textEdits, textWith } from '../edited-text.ts'
import type { FuzzFixture } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'

/** One file of a saved run, edited; `sealed` signs the certificate anew, so that what it vouches for is read. */
type Input = {
  word: 'regrade' | 'verify' | 'show' | 'cleanup'
  file: 'report' | 'transcript' | 'profile' | 'certificate' | 'ledger'
  edits: JsonEdit[]
  damage: readonly TextEdit[]
  sealed: boolean
}

const CHECKS = 'TOK-01,BRR-01,SIG-01,VAL-02'
const PROFILE = new URL('../../../contracts/profiles/simulator.yaml', import.meta.url).pathname
const { privateKey, jwk } = newKeyPair()
const TYPE = 'assay-certificate+jws'

/** Fuzz target: saved run folders; judged again, or refused with a message and an exit code. */
export const savedRuns = fuzzTarget<Input>({
  name: 'reports',
  sends: 'saved reports, transcripts, profiles and certificates to certify',
  inputs: fc.record({
    word: fc.constantFrom('regrade', 'verify', 'verify', 'show', 'cleanup'),
    file: fc.constantFrom('report', 'transcript', 'transcript', 'profile', 'certificate', 'ledger'),
    edits: jsonEdits(
      ['"file:///etc/passwd"', '"fail"', '"pass"', '4096', '-1'],
      ['format', 'checks', 'exchanges', 'journeys', 'files'],
    ),
    damage: fc.oneof({ weight: 5, arbitrary: fc.constant<TextEdit[]>([]) }, textEdits()),
    sealed: fc.boolean(),
  }),
  covers: [
    'contracts/schema/*.ts',
    'contracts/harness/report/run-report.ts',
    'contracts/harness/report/report-folder.ts',
    'contracts/harness/run/transcript.ts',
    'contracts/harness/run/rejudge-run.ts',
    'contracts/harness/report/conformance-certificate.ts',
    'contracts/harness/report/text-report.ts',
    'contracts/commands/regrade.ts',
    'contracts/commands/verify.ts',
    'contracts/commands/compare-certificate-with-report.ts',
    'contracts/commands/show.ts',
    'contracts/commands/cleanup.ts',
  ],
  few: 25,
  open: async fixture => {
    const good = await savedRun(fixture)
    const folder = join(fixture.folder, 'edited-run')
    return async ({ word, file, edits, damage, sealed }) => {
      cpSync(good, folder, { recursive: true })
      const { certificate } = await verifyConformanceCertificate(
        readFileSync(join(good, REPORT_FILES.certificate), 'utf8'),
      )
      const name = join(folder, REPORT_FILES[file])
      const lines =
        file === 'certificate'
          ? [JSON.stringify(certificate)]
          : file === 'ledger'
            ? readFileSync(name, 'utf8').trim().split('\n')
            : [readFileSync(name, 'utf8')]
      const text = textWith(lines.map(line => jsonWith(JSON.parse(line), edits)).join('\n'), damage)
      writeFileSync(name, text)
      if (file === 'certificate') writeFileSync(name, await sealedText(text))
      else if (sealed) {
        const files = Object.fromEntries(
          Object.keys(certificate.files).map(one => [one, sha256Digest(readFileSync(join(folder, one)))]),
        )
        writeFileSync(
          join(folder, REPORT_FILES.certificate),
          await sealedText(JSON.stringify({ ...certificate, files })),
        )
      }
      const { code, err } = await runCertify(word, folder, ...(word === 'cleanup' ? ['--dry-run'] : []))
      if (!Object.values(EXIT_CODES).some(known => known === code)) return `the exit code is ${code}`
      if (code === EXIT_CODES.usage && !/^.{5,2000}\.\n$/s.test(err))
        return `no sentence: ${JSON.stringify(err.slice(0, 300))}`
    }
  },
})

/** Any text, signed as a certificate is. */
const sealedText = (text: string): Promise<string> =>
  new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'ES256', typ: TYPE, jwk: jwk as JWK }).sign(privateKey)

const savedRun = async (fixture: FuzzFixture): Promise<string> => {
  const { simulator } = await fixture.guarded()
  const folder = join(fixture.folder, 'saved-run')
  const here = [
    '--profile',
    PROFILE,
    '--base-url',
    simulator.apiUrl,
    '--kit',
    simulator.kitFolder,
    '--control',
    simulator.pagesUrl,
  ]
  const { code, err } = await runCertify('run', ...here, '--only', CHECKS, '--report', folder)
  if (code !== EXIT_CODES.fine) throw new Error(`No run to save: ${code} ${err}`)
  return folder
}

/** What the command says, kept from the terminal. */
const runCertify = async (...argv: string[]): Promise<{ code: number; err: string }> => {
  const [out, err] = [process.stdout.write, process.stderr.write]
  const output = { err: '' }
  process.stdout.write = () => true
  process.stderr.write = text => {
    output.err += text
    return true
  }
  try {
    return { code: await main(argv), ...output }
  } finally {
    Object.assign(process.stdout, { write: out })
    Object.assign(process.stderr, { write: err })
  }
}
