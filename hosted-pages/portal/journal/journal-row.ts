import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { formatDuration } from '../layout/formatted-values.ts'
import type { CallView } from './journal-call-types.ts'

/** Returns one call as a list item of the portal's journal, in short HTML, with its details where open; its link is relative to the journal unless that is named. */
export const journalRow = (
  call: CallView,
  { journal = 'journal', details }: { journal?: string; details?: Html | undefined } = {},
): Html => {
  const { callId, at, request, response, durationMilliseconds } = call
  const note = noteOf(call)
  const look = response.status >= 500 ? 'worse' : response.status >= 400 ? 'bad' : 'good'
  return html`<li><a class="jc ${look}" href="${journal}/${callId}" data-testid="journal-call"${details ? html` aria-expanded="true"` : ''}><time datetime="${at}">${at.slice(5, 10)} ${at.slice(11, 23)}</time><b>${response.status}</b><i>${request.method}</i><span>${pathOf(request.target)}</span><em${note.length > SHORT_NOTE ? html` title="${note}"` : ''}>${note}</em><s>${formatDuration(Math.ceil(durationMilliseconds))}</s></a>${details ?? ''}</li>
`
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{21}([0-9a-f]{6})/g

/** Returns the target of a journal's call with the ids in it shortened to their ends. */
export const pathOf = (target: string): string => {
  const short = target.replace(UUID, '…$1')
  return short.length > 100 ? `${short.slice(0, 99)}…` : short
}

/** Returns the remarkable facts of a call as tags: refusal, status of the payment, replay, scenario, fault, and the organization's clock where it is elsewhere. */
const noteOf = ({ at, clock, refused, unknown, replayed, script, injectedFault, response }: CallView): string =>
  [
    ...(refused ? [`${refused.layer} ${reasonCodeOf(response.body)}`] : declineOf(response.body)),
    ...(unknown ? [`unknown: ${unknown[0]?.member ?? ''}`] : []),
    ...(replayed ? ['replayed'] : []),
    ...(script?.scenario === undefined ? [] : [script.scenario]),
    ...(injectedFault === undefined ? [] : [injectedFault]),
    ...(isElsewhere(clock, at) ? [`clock ${clock.slice(5, 19).replace('T', ' ')}`] : []),
  ].join(', ')

/** Characters of a note that its column always holds. */
const SHORT_NOTE = 30

/** Milliseconds by which an organization's clock may differ from real time until a row tells it apart. */
const SAME_TIME = 5_000

const isElsewhere = (clock: string | undefined, at: string): clock is string =>
  clock !== undefined && Math.abs(Date.parse(clock) - Date.parse(at)) > SAME_TIME

const reasonCodeOf = (body: string): string => /"reasonCode"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? ''

const declineOf = (body: string): string[] => {
  const status = /"status"\s*:\s*"([A-Z]+)"/.exec(body)?.[1]
  return status === undefined ? [] : [status === 'DECLINED' ? `${status} ${reasonCodeOf(body)}` : status]
}
