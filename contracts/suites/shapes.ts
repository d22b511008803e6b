import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Exchange, jsonOf } from '../client/exchange.ts'
import type { Journey } from '../harness/check.ts'
import { exchangeOfRecord, type Transcript } from '../harness/recording.ts'
import { Inconclusive, Open } from '../harness/signals.ts'
import { readStatus } from './vehicles.ts'
import type { World } from './world.ts'

type Shape = ReadonlyMap<string, string>

/** Places in an answer with the type of what stands there; items of a list share one place. */
const shapeOf = (value: unknown, at = ''): [place: string, type: string][] => {
  if (Array.isArray(value)) return [[at, 'list'], ...value.flatMap(item => shapeOf(item, `${at}/*`))]
  if (value === null || typeof value !== 'object') return [[at, value === null ? 'null' : typeof value]]
  return [[at, 'object'], ...Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${at}/${name}`))]
}

const servedBy = (exchanges: readonly Exchange[], endpoint: string): Shape[] =>
  exchanges
    .filter(({ request, answer }) => request.endpoint === endpoint && answer !== undefined && answer.status < 300)
    .map(exchange => new Map(shapeOf(jsonOf(exchange))))

/** What every one of these answers had. */
const common = ([first, ...others]: readonly Shape[]): [string, string][] =>
  [...(first ?? [])].filter(([place, type]) => others.every(shape => shape.get(place) === type))

/** Fields that all earlier answers of an endpoint had, and that no answer of now has, or only as another type. */
export const goneSince = (earlier: readonly Exchange[], now: readonly Exchange[]): string[] => {
  const endpoints = new Set(earlier.flatMap(({ request }) => request.endpoint ?? []))
  return [...endpoints].flatMap(endpoint => {
    const seen = servedBy(now, endpoint)
    if (seen.length === 0) return []
    const gone = common(servedBy(earlier, endpoint)).filter(
      ([place, type]) => !seen.some(shape => shape.get(place) === type),
    )
    return gone.map(([place, type]) => `${endpoint} ${place} (${type})`)
  })
}

const earlierRun = (file: string): Exchange[] => {
  try {
    const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as Transcript
    return exchanges.map(exchangeOfRecord)
  } catch {
    throw new Open(`earlierRun names no transcript: ${file} cannot be read as one`)
  }
}

/** The shape lock (9), judged over the whole run: fields may come, none may go. */
export const shapes: Journey<World, 'status'> = {
  name: 'fields of an earlier run',
  tier: 1,
  needs: ['earlierRun'],
  play: (world, keep) => keep('status', readStatus(world)),
  checks: [
    {
      id: 'VER-06',
      clause: '9',
      title: 'no field of an earlier run is gone or of another type',
      judge: (evidence, { profile, equal }) => {
        const earlier = earlierRun(resolve(dirname(profile.file), profile.earlierRun ?? ''))
        if (earlier.length === 0) throw new Inconclusive('the earlier run has seen no answer')
        equal('fields that are gone', goneSince(earlier, evidence.transcript), [], evidence.of('status'))
      },
    },
  ],
}
