import { describe, expect, test } from 'vitest'
import { CATALOGUE, openCore } from '../support/simulator-core.ts'
import { type MockedPayment, transcribePayment } from './run-and-transcribe-payment.ts'

const WAYS: readonly MockedPayment['type'][] = ['MOCK', 'PASSTHROUGH']

/** Fault scenarios, which are the same for every provider and mock type. */
const isFault = (name: string): boolean => CATALOGUE.find(name)?.magic?.startsWith('1') ?? false

const TITLES = CATALOGUE.all.map(({ name }) => name)

describe('2.7: the transcript of every scenario, from the first call to the last job', () => {
  test.each(TITLES)('%s', async name => {
    const scenario = CATALOGUE.find(name)
    if (!scenario) throw new Error(`There is no ${name}.`)
    const chapters: string[] = []
    for (const provider of isFault(name) ? scenario.providers.slice(0, 1) : scenario.providers)
      for (const type of isFault(name) ? WAYS.slice(0, 1) : WAYS) {
        const lines = await transcribePayment(await openCore(), scenario, { provider, type })
        chapters.push([`${provider} ${type}`, ...lines].join('\n'))
      }
    const text = `${name}: ${scenario.title}\n\n${chapters.join('\n\n')}\n`
    await expect(text).toMatchFileSnapshot(`transcripts/${name.toLowerCase().replaceAll('_', '-')}.txt`)
  })
})
