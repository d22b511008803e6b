import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { databaseViolations } from '../crash/database-invariants.ts'
import type { AcknowledgedRecords } from './acknowledged-records.ts'
import type { Files } from './crash-images.ts'

/**
 * Store files that a simulated crash left, with the number of writes that must be in them and of those that were
 * acknowledged.
 */
export type Recovered = { files: Files; least: number; promised: number; isPowerCut: boolean }

type Parts = {
  recovered: Recovered
  /** Where the files are looked at. */
  folder: string
  acknowledged: AcknowledgedRecords
  /** Latest time that an organization's clock may have shown. */
  now(organizationId: string): number
  problem(sentence: string): void
}

/**
 * Judges the files that a crash left (D-112): the database is sound, has every write that was synced, after a kill every one that
 * was acknowledged, and of these all replies and events. Returns how many writes it has, and whether a start must refuse it.
 */
export const judgeFiles = ({ recovered, folder, acknowledged, now, problem }: Parts) => {
  const { files, least, promised } = recovered
  const copy = mkdtempSync(join(folder, 'judged-'))
  const file = join(copy, 'assay.db')
  writeFileSync(file, files.database)
  writeFileSync(`${file}-wal`, files.log)
  const count = countIn(file)
  if (count < least) problem(`${least - count} of ${promised} acknowledged writes are lost`)
  for (const sentence of databaseViolations(file)) problem(sentence)
  for (const sentence of acknowledged.missing(file, count, now).slice(0, 3)) problem(sentence)
  rmSync(copy, { recursive: true })
  const mark = Number(files.mark.toString())
  return { count, isRefused: mark > count }
}

const countIn = (file: string): number => {
  const database = new Database(file)
  try {
    return Number(database.prepare("SELECT value FROM settings WHERE name = 'acknowledged-writes'").pluck().get() ?? 0)
  } finally {
    database.close()
  }
}
