import type { SeededRandom } from '../support/seeded-random.ts'

/**
 * Files of the SQLite store in the data folder of a simulated machine: the database, its WAL, and the mark of
 * acknowledged writes.
 */
export type Files = { database: Buffer; log: Buffer; mark: Buffer }

/** Bytes that a disk writes as a whole or not at all. */
const SECTOR = 512
/** Bytes of the header of a WAL, which SQLite syncs when it begins the log anew. */
const LOG_HEADER = 32

/**
 * Computes a file whose write a simulated crash has cut: its new bytes up to a random place, its old ones behind that.
 */
export const torn = (before: Buffer, after: Buffer, random: SeededRandom): Buffer => {
  const changed = changedSectors(before, after)
  const [first = 0, last = 0] = [changed.at(0), changed.at(-1)]
  const cut = first * SECTOR + random.below((last - first + 1) * SECTOR)
  return Buffer.concat([after.subarray(0, cut), before.subarray(Math.min(cut, before.length))])
}

/** A file after a power cut: every sector that was written since the last sync is there or as it was, by one of three ways. */
const unsynced = (synced: Buffer, now: Buffer, random: SeededRandom): Buffer => {
  const changed = changedSectors(synced, now)
  const kept = random.pick([
    () => false,
    (sector: number) => sector < until,
    () => random.below(20) > 0,
    (sector: number) => sector < until || random.below(2) === 0,
  ])
  const until = changed[random.below(changed.length + 1)] ?? Number.POSITIVE_INFINITY
  const survivors = changed.filter(kept)
  const length = Math.max(synced.length, ...survivors.slice(-1).map(last => Math.min((last + 1) * SECTOR, now.length)))
  const file = Buffer.alloc(length)
  synced.copy(file)
  for (const sector of survivors) now.copy(file, sector * SECTOR, sector * SECTOR, (sector + 1) * SECTOR)
  return file
}

/**
 * Computes the store files that a simulated power cut leaves, from the present files and those last synced: what was
 * not synced may be lost, by chance.
 */
export const afterPowerCut = (synced: Files, now: Files, random: SeededRandom): Files => {
  const log = unsynced(synced.log, now.log, random)
  const isNewLog = !now.log.subarray(0, LOG_HEADER).equals(synced.log.subarray(0, LOG_HEADER))
  if (isNewLog) now.log.copy(log, 0, 0, LOG_HEADER)
  const mark = random.pick([now.mark, now.mark, now.mark, synced.mark, Buffer.alloc(0)])
  // SQLite begins the log anew, by itself too after 20,000 pages, once it has synced the database that holds the old one.
  const database = isNewLog ? now.database : unsynced(synced.database, now.database, random)
  return { database, log, mark }
}

const changedSectors = (before: Buffer, after: Buffer): number[] => {
  const changed: number[] = []
  for (let sector = 0; sector * SECTOR < Math.max(before.length, after.length); sector += 1) {
    const part = (file: Buffer) => file.subarray(sector * SECTOR, (sector + 1) * SECTOR)
    if (!part(before).equals(part(after))) changed.push(sector)
  }
  return changed
}
