import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { coverageCsv } from './clauses.ts'
import type { Profile } from './profile.ts'
import { profileFaults } from './profile-schema.ts'
import type { Transcript } from './recording.ts'
import { UsageError } from './registry.ts'
import { jsonReport, type Report, reportOfJson } from './report.ts'
import { htmlReport } from './report-html.ts'
import { junitReport } from './report-junit.ts'
import { isShaped } from './saved-shape.ts'

/** What a report folder holds; the names are part of the interface. */
export const FILES = {
  page: 'report.html',
  report: 'report.json',
  junit: 'junit.xml',
  coverage: 'coverage.csv',
  transcript: 'transcript.json',
  profile: 'profile.json',
  ledger: 'ledger.jsonl',
  certificate: 'certificate.jws',
} as const

/** Makes a folder ready for a run; what an earlier run left in it goes, so that no two runs are ever mixed. */
export const prepareFolder = (folder: string): void => {
  clearFolder(folder)
  writeFile(join(folder, FILES.ledger), '')
}

/** A folder that can be written to, without anything that an earlier run left in it. */
export const clearFolder = (folder: string): void =>
  trying(folder, 'written', () => {
    mkdirSync(folder, { recursive: true })
    for (const name of Object.values(FILES)) rmSync(join(folder, name), { force: true })
  })

export type Contents = {
  report: Report
  transcript: Transcript
  profile: Profile
  registry: ReadonlyMap<string, Check>
}

/** Writes all that a reader wants of a run, but for its certificate; hands back what was written, by name. */
export const writeFolder = async (folder: string, contents: Contents): Promise<Readonly<Record<string, string>>> => {
  const { report, transcript, profile, registry } = contents
  const texts = {
    [FILES.report]: jsonReport(report),
    [FILES.junit]: junitReport(report),
    [FILES.page]: await htmlReport(report, registry),
    [FILES.coverage]: coverageCsv(registry, report.checks),
    [FILES.transcript]: `${JSON.stringify(transcript)}\n`,
    [FILES.profile]: `${JSON.stringify(profile, null, 2)}\n`,
  }
  for (const [name, text] of Object.entries(texts)) writeFile(join(folder, name), text)
  return texts
}

export const writeFile = (file: string, text: string): void => trying(file, 'written', () => writeFileSync(file, text))

/** A file of a report folder as text; the sentence of the error names what is missing. */
export const readOf = (folder: string, name: string): string =>
  trying(join(folder, name), 'read', () => readFileSync(join(folder, name), 'utf8'))

export const readReport = (folder: string): Report => parsed(folder, FILES.report, reportOfJson)

export const readTranscript = (folder: string): Transcript =>
  parsed(folder, FILES.transcript, text => {
    const transcript = JSON.parse(text) as Transcript
    if (!isShaped('transcript', transcript)) throw new SyntaxError('no transcript')
    return transcript
  })

export const readProfileOf = (folder: string): Profile =>
  parsed(folder, FILES.profile, text => {
    const { file, ...profile } = JSON.parse(text) as Profile
    if (typeof file !== 'string' || profileFaults(profile).length > 0) throw new SyntaxError('no profile')
    return { file, ...profile }
  })

const parsed = <Value>(folder: string, name: string, parse: (text: string) => Value): Value => {
  const text = readOf(folder, name)
  try {
    return parse(text)
  } catch {
    throw new UsageError(
      `${join(folder, name)} is not what this version writes: name the folder of a run, made by --report.`,
    )
  }
}

const CURES = { read: 'name a folder that --report has written', written: 'name a folder that can be written to' }

const trying = <Value>(file: string, what: 'read' | 'written', act: () => Value): Value => {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`${file} cannot be ${what} (${(error as NodeJS.ErrnoException).code}): ${CURES[what]}.`)
  }
}
