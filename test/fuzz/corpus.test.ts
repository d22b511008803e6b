import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from './house.ts'
import type { Judge } from './part.ts'
import { PARTS } from './parts/index.ts'
import { watching } from './try-part.ts'

type Kept = { part: string; broke: string; input: unknown }

const FOLDER = join(import.meta.dirname, 'corpus')
const kept = readdirSync(FOLDER).map((file): [name: string, broke: string, kept: Kept] => {
  const found = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Kept
  return [file.replace(/\.json$/, ''), found.broke, found]
})

let house: House
const judges = new Map<string, Judge<unknown>>()

beforeAll(() => {
  house = openHouse()
})

afterAll(() => house.close())

/** The judge of a part, opened once. */
const judgeOf = async (name: string): Promise<Judge<unknown>> => {
  const part = PARTS.find(one => one.name === name)
  if (!part) throw new Error(`There is no part ${name}.`)
  const judge = judges.get(name) ?? watching(part, await part.open(house))
  judges.set(name, judge)
  return judge
}

test.each(kept)('%s: %s, and does so no more', { timeout: 60_000 }, async (_name, _broke, { part, input }) => {
  expect(await (await judgeOf(part))(input)).toBeUndefined()
})
