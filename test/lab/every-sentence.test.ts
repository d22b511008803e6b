import { expect, test } from 'vitest'
import { CAUSES, PARTS } from '../../contracts/protocol/lab/causes.ts'
import { reportOf } from '../../contracts/protocol/lab/report.ts'
import { LAB_CURES } from '../../hosted-pages/portal/lab/cures.ts'
import { LAB_CAUSES } from '../../hosted-pages/portal/lab/sentences.ts'
import { lab, request } from './signed-wrongly.ts'
import { HEADER_WAYS } from './wrong-headers.ts'
import { VALUE_WAYS } from './wrong-values.ts'

const slots = (text: string) => Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name).sort()

test('every cause and every cure is there in Polish and Greek, with the same slots', () => {
  expect(Object.keys(LAB_CAUSES).sort()).toEqual(Object.keys(CAUSES).sort())
  expect(Object.keys(LAB_CURES).sort()).toEqual(Object.keys(PARTS).sort())
  for (const [cause, [, english]] of Object.entries(CAUSES))
    for (const language of ['pl', 'el'] as const) {
      expect
        .soft({ cause, slots: slots(LAB_CAUSES[cause]?.[language] ?? '') })
        .toEqual({ cause, slots: slots(english) })
    }
  for (const [part, english] of Object.entries(PARTS))
    for (const language of ['pl', 'el'] as const)
      expect.soft({ part, slots: slots(LAB_CURES[part]?.[language] ?? '') }).toEqual({ part, slots: slots(english) })
})

test('no sentence is left with an empty slot', async () => {
  for (const [, changes, more] of [...HEADER_WAYS, ...VALUE_WAYS.slice(0, 30)]) {
    const report = reportOf(
      await lab(request(changes), { ...more, budget: { verifications: 500, isOver: () => false } }),
    )
    for (const { sentence, cure } of [...report.faults, ...report.notes, ...report.alternatives])
      expect(`${sentence}: ${cure}`).not.toMatch(/\{\w+\}/)
    expect(report.summary).not.toMatch(/\{\w+\}/)
  }
}, 120_000)
