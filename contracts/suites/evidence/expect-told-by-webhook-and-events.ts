import type { Exchange } from '../../client/http-exchange.ts'
import type { Expect } from '../../harness/judge/check-assertions.ts'
import { Inconclusive } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { isMet } from '../given/read-until.ts'
import { isSameStage } from './expect-same-stage.ts'
import { hasReason } from './outcome-reason-code.ts'
import { readNotification } from './read-notification.ts'
import { hasWord } from './shows-id.ts'

/**
 * Expects the events of a payment to tell what one of its webhooks told, now or in an entry that was not there at first.
 * No order of webhooks is promised, so an old one may come last; one of which the events say nothing is a fault (6).
 */
export const expectToldByBoth = (
  pushed: Exchange,
  events: Exchange,
  before: Exchange | undefined,
  expect: Expect,
): void => {
  const { profile } = expect
  const { notification, earlier } = readNotification(pushed, expect)
  const told = [notification, ...earlier]
  if (told.some(one => isMet(profile, it => expectSame(one, events, pushed, it)))) return
  const isOld = (one: Exchange) => before !== undefined && isReadIn(before, one, profile)
  const unread = told.find(one => !isReadIn(events, one, profile) && !isOld(one))
  if (unread) expectSame(unread, events, pushed, expect)
  if (!told.every(isOld)) return
  const reason = `the webhooks that came tell of the beginning of the payment alone: allow more time by patience in ${profile.file}`
  throw new Inconclusive(reason, pushed)
}

/** Names of the fields that events and webhooks have in common; a reason only where one of both gives any. */
const namesIn = (events: Exchange, notification: Exchange, profile: Profile) =>
  hasReason(profile, notification, 'webhook') || hasReason(profile, events, 'events')
    ? (['status', 'reasonCode'] as const)
    : (['status'] as const)

const expectSame = (notification: Exchange, events: Exchange, pushed: Exchange, expect: Expect): void => {
  for (const name of namesIn(events, notification, expect.profile)) {
    const stated = expect.field(events, `events.${name}`)
    const told = expect.field(notification, `webhook.${name}`)
    if (name === 'status' && isSameStage(expect.profile, String(told), String(stated))) continue
    expect.equalText(`the ${name}`, told, stated, pushed)
  }
}

/** Whether the events have the words of a webhook anywhere, as in an entry of their list. */
const isReadIn = (events: Exchange, notification: Exchange, profile: Profile): boolean =>
  namesIn(events, notification, profile)
    .map(name => findField(profile, notification, `webhook.${name}`))
    .every(word => word !== undefined && hasWord(String(events.response?.body), String(word)))
