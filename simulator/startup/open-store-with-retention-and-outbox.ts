import { writeWebhook } from '../../contracts/dialect/dialect.ts'
import { withRetention } from '../store/with-retention.ts'
import { createCommitListeners } from '../webhooks/commit-listeners.ts'
import type { NotificationBody } from '../webhooks/notification-body.ts'
import { withOutbox } from '../webhooks/outbox.ts'
import { createIdsAndResponseVariation } from './create-ids-and-response-variation.ts'
import { openDatabase } from './open-database.ts'
import type { StartupContext } from './startup-context.ts'

/** The opened store, the events of its commits, and the ids and variation that the saved seed determines. */
export type OpenedStore = Awaited<ReturnType<typeof openStore>>

/** Opens the store with retention (D-109) and the outbox of webhooks (6): the first phase of a start. */
export const openStore = async ({ config, clock, rulesOf, dialects, onError, parts, resources }: StartupContext) => {
  const database = parts.store ?? (await openDatabase(config, onError))
  const retaining = withRetention(database, { keepPayments: config.keepPayments, now: clock.now, onError })
  resources.defer(retaining.close)
  const { variety, ids: seededIds } = await createIdsAndResponseVariation(config.variety, retaining)
  const ids = parts.ids ?? seededIds
  const commits = createCommitListeners()
  const formOf = (organizationId: string) => ({
    ...rulesOf(organizationId),
    write: (body: NotificationBody) => writeWebhook(dialects.of(organizationId), body),
  })
  const store = withOutbox(retaining, { ids, real: clock.real, formOf, commits })
  return { store, commits, ids, variety }
}
