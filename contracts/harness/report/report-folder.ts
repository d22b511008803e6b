import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createFolder } from '../../create-folder.ts'
import { visibleJson } from '../../protocol/visible-text.ts'
import type { Check } from '../judge/check.ts'
import type { Profile } from '../profile/profile.ts'
import { findProfileIssues } from '../profile/profile-validation.ts'
import { UsageError } from '../run/command-errors.ts'
import type { Transcript } from '../run/transcript.ts'
import { clauseCoverageCsv } from './clause-coverage.ts'
import { toHtmlReport } from './html-report.ts'
import { toJunitReport } from './junit-report.ts'
import { orUsageError, tryToWrite, writeTextFile } from './read-and-write-text-files.ts'
import { parseJsonReport, type RunReport, toJsonReport } from './run-report.ts'
import { matchesSavedFileSchema } from './saved-file-schemas.ts'
import { besideFile } from './write-files-together.ts'

/** Names of the files in a report folder; they are part of the interface. */
export const REPORT_FILES = {
  page: 'report.html',
  report: 'report.json',
  junit: 'junit.xml',
  coverage: 'coverage.csv',
  transcript: 'transcript.json',
  profile: 'profile.json',
  ledger: 'ledger.jsonl',
  certificate: 'certificate.jws',
} as const

/** Name of the file that a report folder also holds while checks of its run wait for `assay certify resume`. */
export const PENDING_FILE = 'pending.json'

/**
 * Creates or clears a report folder and starts a ledger in it, so that two runs are never mixed, beside the profile by
 * which a run that is killed can be cleaned up.
 */
export const prepareReportFolder = (folder: string, profile: Profile): void => {
  clearReportFolder(folder)
  writeTextFile(join(folder, REPORT_FILES.ledger), '')
  writeTextFile(join(folder, REPORT_FILES.profile), profileText(profile))
}

/** Paths in a profile begin at its file, which a later command finds from any folder. */
const profileText = (profile: Profile): string =>
  visibleJson(`${JSON.stringify({ ...profile, file: resolve(profile.file), overridden: undefined }, null, 2)}\n`)

/** Creates a report folder, or deletes the files that an earlier run left in it. */
export const clearReportFolder = (folder: string): void => {
  createReportFolder(folder)
  orUsageError(folder, 'written', () => {
    for (const name of [...Object.values(REPORT_FILES), PENDING_FILE])
      for (const file of [join(folder, name), besideFile(folder, name)]) rmSync(file, { force: true })
  })
}

/**
 * Creates a report folder, or leaves what is in it; throws a UsageError where no file can be written into it, or where its
 * profile.json is not that of a run.
 */
export const createReportFolder = (folder: string): void => {
  const { profile, ledger, report } = REPORT_FILES
  const has = (name: string): boolean => existsSync(join(folder, name))
  if (has(profile) && !has(ledger) && !has(report))
    throw new UsageError(
      `${folder} has a ${profile} and neither ${ledger} nor ${report}, so it is no report of a run: name another folder.`,
    )
  orUsageError(folder, 'written', () => {
    createFolder(folder)
    tryToWrite(besideFile(folder, REPORT_FILES.report))
  })
}

type ReportFolderContents = {
  report: RunReport
  transcript: Transcript
  profile: Profile
  registry: ReadonlyMap<string, Check>
}

/** Returns the texts of a report folder by file name, except ledger and certificate. */
export const reportTexts = async ({
  report,
  transcript,
  profile,
  registry,
}: ReportFolderContents): Promise<Readonly<Record<string, string>>> => ({
  [REPORT_FILES.report]: toJsonReport(report),
  [REPORT_FILES.junit]: toJunitReport(report),
  [REPORT_FILES.page]: await toHtmlReport(report, registry),
  [REPORT_FILES.coverage]: clauseCoverageCsv(registry, report.checks),
  [REPORT_FILES.transcript]: visibleJson(`${JSON.stringify(transcript)}\n`),
  [REPORT_FILES.profile]: profileText(profile),
})

/** Reads a file of a report folder as text; throws a UsageError that names the file where it cannot be read. */
export const readReportFile = (folder: string, name: string): string =>
  orUsageError(join(folder, name), 'read', () => readFileSync(join(folder, name), 'utf8'))

/** Reads the report of an earlier run; throws a UsageError where the folder holds none of this version. */
export const readSavedReport = (folder: string): RunReport => parsed(folder, REPORT_FILES.report, parseJsonReport)

/** Reads the transcript of an earlier run; throws a UsageError as `readSavedReport` does. */
export const readSavedTranscript = (folder: string): Transcript =>
  parsed(folder, REPORT_FILES.transcript, text => {
    const transcript = JSON.parse(text) as Transcript
    if (!matchesSavedFileSchema('transcript', transcript)) throw new SyntaxError('no transcript')
    return transcript
  })

/** Reads the profile of an earlier run, as it was then; throws a UsageError as `readSavedReport` does. */
export const readSavedProfile = (folder: string): Profile =>
  parsed(folder, REPORT_FILES.profile, text => {
    const { file, ...profile } = JSON.parse(text) as Profile
    if (typeof file !== 'string' || findProfileIssues(profile).length > 0) throw new SyntaxError('no profile')
    return { file, ...profile }
  })

const parsed = <Value>(folder: string, name: string, parse: (text: string) => Value): Value => {
  const text = readReportFile(folder, name)
  try {
    return parse(text)
  } catch {
    throw new UsageError(
      `${join(folder, name)} is not what this version writes: name the folder of a run, made by --report.`,
    )
  }
}
