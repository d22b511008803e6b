import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { CompactSign, type JWK } from 'jose'
import { main } from '../../../contracts/cli.ts'
import { openCertificate } from '../../../contracts/harness/certificate.ts'
import { FILES } from '../../../contracts/harness/report-folder.ts'
import { digestOf } from '../../../contracts/harness/suite.ts'
import { EXIT } from '../../../contracts/harness/summary.ts'
import { newPair } from '../../support/identities.ts'
import { type JsonEdit, jsonEdits, jsonWith } from '../edited-json.ts'
import { type TextEdit, textEdits, textWith } from '../edited-text.ts'
import type { House } from '../house.ts'
import { part } from '../part.ts'

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
const { privateKey, jwk } = newPair()
const TYPE = 'assay-certificate+jws'

/** Saved runs that others hand in: judged again, or refused with a sentence and an exit code. */
export const reports = part<Input>({
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
    'contracts/harness/{report,report-folder,recording,rejudge,certificate,report-text}.ts',
    'contracts/commands/{regrade,verify,show,cleanup}.ts',
  ],
  few: 25,
  open: async house => {
    const good = await savedRun(house)
    const folder = join(house.folder, 'edited-run')
    return async ({ word, file, edits, damage, sealed }) => {
      cpSync(good, folder, { recursive: true })
      const { certificate } = await openCertificate(readFileSync(join(good, FILES.certificate), 'utf8'))
      const name = join(folder, FILES[file])
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
          Object.keys(certificate.files).map(one => [one, digestOf(readFileSync(join(folder, one)))]),
        )
        writeFileSync(join(folder, FILES.certificate), await sealedText(JSON.stringify({ ...certificate, files })))
      }
      const { code, err } = await said(word, folder, ...(word === 'cleanup' ? ['--dry-run'] : []))
      if (!Object.values(EXIT).some(known => known === code)) return `the exit code is ${code}`
      if (code === EXIT.usage && !/^.{5,2000}\.\n$/s.test(err))
        return `no sentence: ${JSON.stringify(err.slice(0, 300))}`
    }
  },
})

/** Any text, signed as a certificate is. */
const sealedText = (text: string): Promise<string> =>
  new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'ES256', typ: TYPE, jwk: jwk as JWK }).sign(privateKey)

const savedRun = async (house: House): Promise<string> => {
  const { simulator } = await house.guarded()
  const folder = join(house.folder, 'saved-run')
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
  const { code, err } = await said('run', ...here, '--only', CHECKS, '--report', folder)
  if (code !== EXIT.fine) throw new Error(`No run to save: ${code} ${err}`)
  return folder
}

/** What the command says, kept from the terminal. */
const said = async (...argv: string[]): Promise<{ code: number; err: string }> => {
  const [out, err] = [process.stdout.write, process.stderr.write]
  const told = { err: '' }
  process.stdout.write = () => true
  process.stderr.write = text => {
    told.err += text
    return true
  }
  try {
    return { code: await main(argv), ...told }
  } finally {
    Object.assign(process.stdout, { write: out })
    Object.assign(process.stderr, { write: err })
  }
}
