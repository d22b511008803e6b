import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figuresPage, type RecordedFigures, readRecordedFigures } from '../../docs/benchmark-figures-page.ts'
import { thisMachine } from './machine.ts'
import type { Figures, Section } from './section-figures-and-tables.ts'

const DOCS = join(import.meta.dirname, '../../docs')

/** Adds this machine and today's date to the figures of a measurement. */
export const withMachine = <Name extends Section>(figures: Figures[Name]): NonNullable<RecordedFigures[Name]> =>
  ({ machine: thisMachine(), figures }) as NonNullable<RecordedFigures[Name]>

/** Replaces a section of docs/figures.json and regenerates docs/figures.md. */
export const recordFigures = <Name extends Section>(
  section: Name,
  measured: NonNullable<RecordedFigures[Name]>,
): void => {
  const all: RecordedFigures = { ...readRecordedFigures(), [section]: measured }
  writeFileSync(join(DOCS, 'figures.json'), `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(join(DOCS, 'figures.md'), figuresPage())
}
