import { dirname, resolve } from 'node:path'
import type { Exchange } from '../client/http-exchange.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import { Inconclusive, Untestable } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import { fromRecordedExchange, type Transcript } from '../harness/run/transcript.ts'
import { readFileUpTo } from '../read-file-up-to.ts'
import type { CheckContext } from './context/check-context.ts'
import {
  type FieldsAlwaysServed,
  findFieldsAlwaysServed,
  findRemovedResponseFields,
} from './evidence/find-removed-response-fields.ts'
import { readStatus } from './given/harmless-calls.ts'

/** Most bytes of an earlier transcript that are read, as a device has no end. */
const MOST_BYTES = 256 * 1024 * 1024

/** Reads the fields of the run that `earlierRun` names, as evidence: who judges it again may not have its file. */
const readEarlierRun = async (profile: Profile): Promise<Exchange> => {
  const { earlierRun = '', file } = profile
  const path = resolve(dirname(file), earlierRun)
  try {
    const { exchanges } = JSON.parse(String(readFileUpTo(path, MOST_BYTES))) as Transcript
    if (exchanges.some(({ response, fault }) => !response && !fault)) throw new SyntaxError('of another version')
    const body = Buffer.from(JSON.stringify(findFieldsAlwaysServed(exchanges.map(fromRecordedExchange), profile)))
    const request = { method: 'GET', url: `earlierRun of ${file}`, headers: {} }
    return { request, response: { status: 200, headers: {}, body }, durationMs: 0 }
  } catch {
    throw new Untestable(`earlierRun names no transcript: ${path} cannot be read as one`, undefined, 'earlierRun')
  }
}

/** Scenario with checks that no field of an earlier run is missing or of another type (9), over the whole run. */
export const fieldsKeptSinceEarlierRun: CheckScenario<CheckContext, 'status' | 'earlier run'> = {
  name: 'fields of an earlier run',
  tier: 1,
  needs: ['earlierRun'],
  play: async (context, keep) => {
    await keep('earlier run', readEarlierRun(context.profile))
    await keep('status', readStatus(context))
  },
  checks: [
    {
      id: 'VER-06',
      clause: '9',
      title: 'no field of an earlier run is missing or of another type',
      exempt: ({ earlierRun, file }) =>
        earlierRun === undefined
          ? `no earlier run to compare with: earlierRun of ${file} names its transcript`
          : undefined,
      judge: (evidence, { json, equal, profile }) => {
        const earlier = json(evidence.of('earlier run')) as FieldsAlwaysServed
        if (Object.keys(earlier).length === 0) throw new Inconclusive('the earlier run has no response')
        const gone = findRemovedResponseFields(earlier, evidence.transcript, profile)
        if (gone === undefined)
          throw new Inconclusive('no call of the earlier run was made again: choose the same checks')
        equal('missing fields', gone, [], evidence.of('status'))
      },
    },
  ],
}
