import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { alignLines } from './align-lines.ts'

/** One line of two texts laid side by side: in both, in the old one only, or in the new one only. */
type Row = { mark: ' ' | '-' | '+'; text: string }

/** Lines around a change that a hunk shows. */
const CONTEXT = 3

/** Returns the unified diff of two texts, which `git apply` takes; empty where they are the same. */
export const unifiedDiff = (file: string, old: string, now: string): string => {
  const hunks = hunksOf(rowsOf(linesOf(old), linesOf(now)))
  return hunks.length === 0 ? '' : `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n${hunks.join('')}`
}

/** The lines of a text; a last one without a line end is followed by the note that says so. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}

/** Returns the path of a file from the root of its Git repository, or its name where it is in none. */
export const pathInRepository = (file: string): string => {
  const path = resolve(file)
  const rootAbove = (folder: string): string | undefined =>
    existsSync(join(folder, '.git')) ? folder : folder === dirname(folder) ? undefined : rootAbove(dirname(folder))
  return relative(rootAbove(dirname(path)) ?? dirname(path), path).replaceAll(sep, '/')
}

const rowsOf = (old: readonly string[], now: readonly string[]): Row[] =>
  alignLines(old, now).map(({ left, right }) =>
    left === undefined ? { mark: '+', text: right ?? '' } : { mark: right === undefined ? '-' : ' ', text: left },
  )

/** The changes with the lines around them; changes that are near each other are in one hunk. */
const hunksOf = (rows: readonly Row[]): string[] => {
  const near = rows.map((_, at) => rows.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange))
  const hunks: string[] = []
  for (let at = 0; at < rows.length; at += 1) {
    if (!near[at] || near[at - 1]) continue
    const end = near.indexOf(false, at)
    const hunk = rows.slice(at, end === -1 ? rows.length : end)
    hunks.push(`@@ -${rangeOf(rows, hunk, at, '-')} +${rangeOf(rows, hunk, at, '+')} @@\n`)
    hunks.push(...hunk.map(({ mark, text }) => `${mark}${text}\n`))
  }
  return hunks
}

const isChange = ({ mark }: Row): boolean => mark !== ' '

/** First line and number of lines of a hunk, in the old or in the new text. */
const rangeOf = (rows: readonly Row[], hunk: readonly Row[], at: number, mark: '-' | '+'): string => {
  const count = (part: readonly Row[]) => part.filter(row => row.mark === ' ' || row.mark === mark).length
  const [before, lines] = [count(rows.slice(0, at)), count(hunk)]
  return `${lines === 0 ? before : before + 1},${lines}`
}
