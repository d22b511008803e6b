import type { Exchange } from '../client/http-exchange.ts'
import { type DecisionChoices, switchValues } from '../dialect/decision-choices.ts'
import { valueAtPointer } from '../dialect/json-pointer.ts'
import { amountOf } from '../harness/judge/compare-scalars.ts'
import { readLifecycleStages } from '../harness/profile/lifecycle-stages-of-status-response.ts'
import type { Profile } from '../harness/profile/profile.ts'
import {
  findField,
  findReasonCode,
  isAbsent,
  isDecline,
  withoutCallId,
} from '../harness/profile/response-fields-and-line-advice.ts'
import type { Details, JudgedResponse } from '../model/model-call-and-judged-response.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { rulesOfProfile } from './model-rules-of-profile.ts'

const DETAILS = ['providerTransactionId', 'redirectUrl', 'registeredAt', 'expiresAt', 'status'] as const

/** Reads from a response of a deployment what the model judges, where the profile says that it stands. */
export const readResponse = (profile: Profile, exchange: Exchange): JudgedResponse => {
  const { request, response } = exchange
  const endpoint = request.endpoint ?? ''
  if (!response) return { http: 0 }
  const isRead = endpoint === 'status' || endpoint === 'events'
  const declining = isRead ? undefined : readingsOfDeclines(profile).find(reading => isDecline(reading, exchange))
  const isServed = response.status < 300 || declining !== undefined
  const codeAt = (field: string) => findReasonCode(declining ?? profile, exchange, field)
  const code = codeAt(`${endpoint}.reasonCode`) ?? codeAt('initiate.reasonCode')
  const judged: JudgedResponse = {
    http: response.status,
    ...(code === undefined ? {} : { code }),
    declined: declining !== undefined,
    json: withoutCallId(profile, exchange),
  }
  return isServed ? { ...judged, ...READ[endpoint]?.(profile, exchange) } : judged
}

/** A profile as it is, or with each status that a decline may have where nobody has said which (D-07). */
const readingsOfDeclines = (profile: Profile): Profile[] =>
  rulesOfProfile(profile).choice('D-07') !== undefined
    ? [profile]
    : ((switchValues('D-07') ?? []) as DecisionChoices['D-07'][]).map(status => ({
        ...profile,
        decisions: { ...profile.decisions, 'D-07': status },
      }))

type Read = (profile: Profile, exchange: Exchange) => Partial<JudgedResponse>

const readId: Read = (profile, exchange) => {
  const { endpoint } = exchange.request
  const id = findField(profile, exchange, `${endpoint}.transactionId`)
  return id === undefined ? {} : { transactionId: String(id) }
}

const readSums: Read = (profile, exchange) => {
  const { endpoint } = exchange.request
  const sum = (name: 'captured' | 'refunded') => {
    const amount = amountOf(profile, findField(profile, exchange, `${endpoint}.${name}`))
    return amount === undefined ? {} : { [name]: amount }
  }
  return { ...sum('captured'), ...sum('refunded') }
}

const READ: Readonly<Record<string, Read>> = {
  charge: readId,
  initiate: (profile, exchange) => {
    const fields = profile.fields?.initiate ?? {}
    const details = DETAILS.filter(name => fields[name] !== undefined).map(name => {
      const value = findField(profile, exchange, `initiate.${name}`)
      return [name, isAbsent(value) ? '' : String(value)]
    })
    return { ...readId(profile, exchange), details: Object.fromEntries(details) as Details }
  },
  status: (profile, exchange) => ({ ...readStages(profile, exchange), ...readSums(profile, exchange) }),
  events: (profile, exchange) => {
    const list = findField(profile, exchange, 'events.list')
    const word = findField(profile, exchange, 'events.state')
    const stages = stagesOf(profile, String(word))
    return {
      ...readSums(profile, exchange),
      ...(stages.length > 0 && { stages }),
      ...(Array.isArray(list) ? { history: list.map(canonicalJson) } : {}),
    }
  },
  search: (profile, exchange) => {
    const [list, pointer] = [findField(profile, exchange, 'search.list'), profile.fields?.search?.transactionId]
    if (!Array.isArray(list) || pointer === undefined) return {}
    return { found: list.map(item => String(valueAtPointer(item, pointer))) }
  },
}

const stagesOf = ({ states = {} }: Profile, word: string): string[] =>
  Object.entries(states).flatMap(([stage, words]) => (words.includes(word) ? [stage] : []))

const readStages: Read = (profile, exchange) => {
  try {
    return { stages: readLifecycleStages(profile, exchange).stages }
  } catch {
    return {}
  }
}

/** Describes a response in words, for the story of a play. */
export const describeResponse = ({
  http,
  code,
  declined,
  stages,
  captured,
  refunded,
  history,
  found,
}: JudgedResponse): string =>
  [
    http === 0 ? 'no response' : `HTTP ${http}`,
    ...(code === undefined || code === '-1' ? [] : [`code ${code.replaceAll(/\s+/g, ' ')}`]),
    ...(declined ? ['declined'] : []),
    ...(stages ? [`the payment ${stages.join(' or ')}`] : []),
    ...(captured === undefined ? [] : [`captured ${captured}`]),
    ...(refunded === undefined ? [] : [`refunded ${refunded}`]),
    ...(history ? [`${history.length} events`] : []),
    ...(found ? [`${found.length} found`] : []),
  ].join(', ')
