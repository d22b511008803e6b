import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { figuresPage, type Recorded, recorded } from '../docs/figures-page.ts'
import { thisMachine } from './machine.ts'
import type { Figures, Section } from './tables.ts'

const DOCS = join(import.meta.dirname, '../docs')

/** What was measured on this machine, now. */
export const dated = <Name extends Section>(figures: Figures[Name]): NonNullable<Recorded[Name]> =>
  ({ machine: thisMachine(), figures }) as NonNullable<Recorded[Name]>

/** Puts a section in the place of the one before, and prints docs/figures.md anew. */
export const record = <Name extends Section>(section: Name, measured: NonNullable<Recorded[Name]>): void => {
  const all: Recorded = { ...recorded(), [section]: measured }
  writeFileSync(join(DOCS, 'figures.json'), `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(join(DOCS, 'figures.md'), figuresPage())
}
