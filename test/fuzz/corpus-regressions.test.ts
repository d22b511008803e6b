import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FuzzFixture, openFuzzFixture } from './fuzz-fixture.ts'
import type { Oracle } from './fuzz-target.ts'
import { withGeneralChecks } from './run-fuzz-target.ts'
import { FUZZ_TARGETS } from './targets/all-targets.ts'

type Kept = { part: string; broke: string; input: unknown }

const FOLDER = join(import.meta.dirname, 'corpus')
const kept = readdirSync(FOLDER).map((file): [name: string, broke: string, kept: Kept] => {
  const found = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Kept
  return [file.replace(/\.json$/, ''), found.broke, found]
})

let fixture: FuzzFixture
const judges = new Map<string, Oracle<unknown>>()

beforeAll(() => {
  fixture = openFuzzFixture()
})

afterAll(() => fixture.close())

/** The oracle of a fuzz target, opened once. */
const judgeOf = async (name: string): Promise<Oracle<unknown>> => {
  const part = FUZZ_TARGETS.find(one => one.name === name)
  if (!part) throw new Error(`There is no part ${name}.`)
  const judge = judges.get(name) ?? withGeneralChecks(await part.open(fixture))
  judges.set(name, judge)
  return judge
}

test.each(kept)('%s: %s (fixed)', { timeout: 60_000 }, async (_name, _broke, { part, input }) => {
  expect(await (await judgeOf(part))(input)).toBeUndefined()
})
