import { causeText, cureText, type Finding } from './causes.ts'
import type { Diagnosis } from './diagnosis.ts'

/** A finding with its sentences. */
export type Told = Finding & { sentence: string; cure: string }

/** A diagnosis with every sentence in it, in English: what control answers and the command prints. */
export type Report = Omit<Diagnosis, 'faults' | 'alternatives' | 'notes' | 'ladder'> & {
  summary: string
  faults: readonly Told[]
  alternatives: readonly Told[]
  notes: readonly Told[]
  ladder: readonly (Omit<Diagnosis['ladder'][number], 'findings'> & { findings: readonly Told[] })[]
}

export const reportOf = (diagnosis: Diagnosis): Report => {
  const { verdict, faults, alternatives, notes, ladder, ...rest } = diagnosis
  return {
    verdict,
    summary: summaryOf(diagnosis),
    faults: faults.map(told),
    alternatives: alternatives.map(told),
    notes: notes.map(told),
    ladder: ladder.map(rung => ({ ...rung, findings: rung.findings.map(told) })),
    ...rest,
  }
}

const told = (found: Finding): Told => ({ ...found, sentence: causeText(found), cure: cureText(found) })

const RIGHT = 'The signature is right.'
const NO_KEY = 'Nothing speaks against it, but no key is known to verify it with: give one.'

/** The fact and its cure in one sentence: the first fault, with what belongs to it. */
const summaryOf = ({ verdict, faults, alternatives, ladder }: Diagnosis): string => {
  const [first, ...more] = faults
  if (!first) return verdict === 'verifies' ? RIGHT : NO_KEY
  const signature = ladder.at(-1)?.findings ?? []
  const together = signature.includes(first) ? signature : [first]
  const causes = [...together.map(causeText)].join('; and: ')
  const or =
    alternatives.length === 0 ? '' : ` (or, which would look the same: ${alternatives.map(causeText).join('; ')})`
  const cures = [...new Set(together.map(cureText))].join('; ')
  const others = more.length - together.length + 1
  const rest = others > 0 ? ` ${others === 1 ? 'One more thing has' : `${others} more things have`} to be mended.` : ''
  return `${causes}${or}: ${cures}.${rest}`
}
