import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { formatDuration } from '../layout/formatted-values.ts'
import { type CallView, listsPayments } from './journal-call-types.ts'

/** Returns one call as a list item of the portal's journal, in short HTML, with its details where open; its link is relative to the journal unless that is named. */
export const journalRow = (
  call: CallView,
  { journal = 'journal', details }: { journal?: string; details?: Html | undefined } = {},
): Html => {
  const { callId, at, request, response, durationMilliseconds } = call
  const look = response.status >= 500 ? 'worse' : response.status >= 400 ? 'bad' : 'good'
  return html`<li><a class="jc ${look}" href="${journal}/${callId}" data-testid="journal-call"${details ? html` aria-expanded="true"` : ''}><time datetime="${at}">${at.slice(5, 10)} ${at.slice(11, 23)}</time><b>${response.status}</b><i>${request.method}</i><span class="path">${pathOf(request.target)}</span><span class="about">${noteOf(call)}</span><span class="took">${formatDuration(Math.ceil(durationMilliseconds))}</span></a>${details ?? ''}</li>
`
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{21}([0-9a-f]{6})/g

/** Returns the target of a journal's call with the ids in it shortened to their ends. */
export const pathOf = (target: string): string => {
  const short = target.replace(UUID, '…$1')
  return short.length > 100 ? `${short.slice(0, 99)}…` : short
}

/** Returns the remarkable facts of a call as tags: refusal, status of the payment, replay, scenario and fault. */
const noteOf = (call: CallView): string => {
  const { refused, unknown, replayed, script, injectedFault } = call
  const member = unknown?.[0]?.member
  return [
    ...(refused ? [`${reasonCodeOf(call)} ${shortReason(refused.reason)} (${refused.layer})`] : statusOf(call)),
    ...(member === undefined || refused?.reason.includes(member) ? [] : [`unknown: ${member}`]),
    ...(replayed ? ['replayed'] : []),
    ...(script?.scenario === undefined ? [] : [script.scenario]),
    ...(injectedFault === undefined ? [] : [injectedFault]),
  ].join(', ')
}

/** How a reason of the layer validation begins, which its name says already. */
const NOT_VALID = /^The (?:token )?request is not valid: /

const shortReason = (reason: string): string => {
  const told = reason.replace(NOT_VALID, '').replace(/\.$/, '')
  return told.length > 200 ? `${told.slice(0, 199)}…` : told
}

const reasonCodeOf = (call: CallView): string =>
  /"reasonCode"\s*:\s*"([^"]*)"/.exec(responseInOurMembers(call))?.[1] ?? ''

/** Returns the status of the one payment that a call is about. */
const statusOf = (call: CallView): string[] => {
  const status = listsPayments(call) ? undefined : /"status"\s*:\s*"([A-Z]+)"/.exec(responseInOurMembers(call))?.[1]
  return status === undefined ? [] : [status === 'DECLINED' ? `${status} ${reasonCodeOf(call)}` : status]
}

const responseInOurMembers = ({ document, response }: CallView): string => document?.response ?? response.body
