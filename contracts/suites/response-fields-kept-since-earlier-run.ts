import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Exchange } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import { Inconclusive, Untestable } from '../harness/judge/verdict-errors.ts'
import { fromRecordedExchange, type Transcript } from '../harness/run/transcript.ts'
import type { CheckContext } from './context/check-context.ts'
import { findRemovedResponseFields } from './evidence/find-removed-response-fields.ts'
import { readStatus } from './given/harmless-calls.ts'

const earlierRun = (file: string): Exchange[] => {
  try {
    const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as Transcript
    if (exchanges.some(({ response, fault }) => !response && !fault)) throw new SyntaxError('of another version')
    return exchanges.map(fromRecordedExchange)
  } catch {
    throw new Untestable(`earlierRun names no transcript: ${file} cannot be read as one`, undefined, 'earlierRun')
  }
}

/** Scenario with checks that no field of an earlier run is missing or of another type (9), over the whole run. */
export const fieldsKeptSinceEarlierRun: CheckScenario<CheckContext, 'status'> = {
  name: 'fields of an earlier run',
  tier: 1,
  needs: ['earlierRun'],
  play: (context, keep) => keep('status', readStatus(context)),
  checks: [
    {
      id: 'VER-06',
      clause: '9',
      title: 'no field of an earlier run is missing or of another type',
      exempt: ({ earlierRun, file }) =>
        earlierRun === undefined
          ? `no earlier run to compare with: earlierRun of ${file} names its transcript`
          : undefined,
      judge: (evidence, { profile, equal }) => {
        const earlier = earlierRun(resolve(dirname(profile.file), profile.earlierRun ?? ''))
        if (earlier.length === 0) throw new Inconclusive('the earlier run has no response')
        equal('missing fields', findRemovedResponseFields(earlier, evidence.transcript), [], evidence.of('status'))
      },
    },
  ],
}
