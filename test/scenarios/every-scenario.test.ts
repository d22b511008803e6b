import { describe, expect, test } from 'vitest'
import { CATALOGUE, openCore } from '../support/core.ts'
import { type Way, walk } from './walk.ts'

const WAYS: readonly Way['type'][] = ['MOCK', 'PASSTHROUGH']

/** Faults are the same whoever answers: one way for each is enough. */
const isFault = (name: string): boolean => CATALOGUE.find(name)?.magic?.startsWith('1') ?? false

const TITLES = CATALOGUE.all.map(({ name }) => name)

describe('2.7: every scenario, from the first call to the end of time', () => {
  test.each(TITLES)('%s', async name => {
    const scenario = CATALOGUE.find(name)
    if (!scenario) throw new Error(`There is no ${name}.`)
    const chapters: string[] = []
    for (const provider of isFault(name) ? scenario.providers.slice(0, 1) : scenario.providers)
      for (const type of isFault(name) ? WAYS.slice(0, 1) : WAYS) {
        const lines = await walk(await openCore(), scenario, { provider, type })
        chapters.push([`${provider} ${type}`, ...lines].join('\n'))
      }
    const text = `${name}: ${scenario.title}\n\n${chapters.join('\n\n')}\n`
    await expect(text).toMatchFileSnapshot(`told/${name.toLowerCase().replaceAll('_', '-')}.txt`)
  })
})
