import { join } from 'node:path'
import { type Certificate, CertificateError, openCertificate, type Signed } from '../harness/certificate.ts'
import { rejudge } from '../harness/rejudge.ts'
import { FILES, readOf, readProfileOf, readReport, readTranscript } from '../harness/report-folder.ts'
import { digestOf, type Suite, suiteOf } from '../harness/suite.ts'
import { EXIT } from '../harness/summary.ts'
import { JOURNEYS } from '../suites/all.ts'
import { textOf } from './publish.ts'
import { againOf } from './regrade.ts'
import { tell, type Word } from './word.ts'

/** Checks a certificate and what it vouches for. */
export const word: Word = {
  usage: 'verify DIR [--key FILE]',
  teaches: `
Checks the certificate of a run and calls nobody: its signature, that report, transcript and profile are the ones that
were signed, and that judging the transcript again finds the verdicts that the report tells. Checks whose evidence holds
a secret, which the transcript hides, are named: for them the signature alone vouches.

  assay certify verify reports/today --key our-public-key.pem

A certificate that was signed by a key made for it proves that nothing was changed since, not who signed it.`,
  takes: ['key', 'json'],
  operands: [1, 1],
  act: async (values, [folder = '']) => {
    const signed = await openCertificate(readOf(folder, FILES.certificate), values.key && textOf(values.key))
    const { certificate } = signed
    mustMatch(certificate, folder)
    const again = await judgedAgain(certificate, folder)
    tell(
      values,
      () => ({ ...certificate, keyId: signed.keyId, keyGiven: !signed.ownKey, judgedAgain: again ?? false }),
      () => verdictText(signed, again),
    )
    return again === undefined && !isConduct(certificate) ? EXIT.incomplete : EXIT.fine
  },
}

const mustMatch = ({ files, suite }: Certificate, folder: string): void => {
  const signed = SIGNED[suite.name]
  for (const [name, digest] of Object.entries(files))
    if (!signed.includes(name) || digestOf(readOf(folder, name)) !== digest)
      throw new CertificateError(`${join(folder, name)} is not the file that was signed: it was changed afterwards.`)
  const missing = signed.find(name => files[name] === undefined)
  if (missing) throw new CertificateError(`The certificate vouches for no ${missing}: it is none of a run.`)
}

/** What is signed; of drills there is no transcript, as the sandbox that judged has seen more than calls. */
const SIGNED: Readonly<Record<Suite['name'], readonly string[]>> = {
  assay: [FILES.report, FILES.transcript, FILES.profile],
  'assay conduct': [FILES.report],
}

const isConduct = ({ suite }: Certificate): boolean => suite.name === 'assay conduct'

/** How many verdicts were found again; undefined where another suite than this one had judged. */
const judgedAgain = async (certificate: Certificate, folder: string): Promise<number | undefined> => {
  if (suiteOf(JOURNEYS).catalogue !== certificate.suite.catalogue) return undefined
  const report = readReport(folder)
  const target = againOf(report, readProfileOf(folder))
  const results = await rejudge({ ...target, journeys: JOURNEYS, transcript: readTranscript(folder) })
  const told = new Map(report.checks.map(({ id, verdict }) => [id, verdict]))
  const excused = new Map(certificate.notRejudged.map(({ id, verdict }) => [id, verdict]))
  const wrong = results.find(({ id, verdict }) => told.get(id) !== (excused.get(id) ?? verdict))
  if (wrong)
    throw new CertificateError(
      `${wrong.id} is told to be "${told.get(wrong.id)}" and the transcript makes it "${wrong.verdict}": the report is not what was seen.`,
    )
  return results.length - excused.size
}

const verdictText = ({ certificate, keyId, ownKey }: Signed, again: number | undefined): string => {
  const { profile, target, issuedAt, summary, suite, notRejudged, tier } = certificate
  const counts = Object.entries(summary.counts).filter(([, count]) => count > 0)
  const lines = [
    `The certificate is good: ${profile}, ${target.baseUrl}, ${target.environment}, tier ${tier}, ${issuedAt}.`,
    `${summary.chosen} of ${summary.registered} checks by suite ${suite.version}: ${counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}.`,
    ownKey
      ? `Signed by a key that it brought along (${keyId}): name the signer's with --key to know who signed.`
      : `Signed by the key that you named (${keyId}).`,
    again === undefined
      ? isConduct(certificate)
        ? 'The sandbox judged by all that it saw: signature and digest were checked, and no verdict was.'
        : `It was judged by another suite (${suite.version}) than this one, so that signature and digests were checked and no verdict was.`
      : `${again} verdicts were found again in the transcript.`,
    ...(notRejudged.length > 0 && again !== undefined
      ? [`Not found again, because the evidence holds a secret: ${notRejudged.map(({ id }) => id).join(', ')}.`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
