import { writeWebhook } from '../../contracts/dialect/dialect.ts'
import { withPageChanges } from '../store/publish-changes-to-pages.ts'
import { withRetention } from '../store/with-retention.ts'
import { createChangeFeed } from '../support/change-feed.ts'
import { createCommitListeners } from '../webhooks/commit-listeners.ts'
import type { NotificationBody } from '../webhooks/notification-body.ts'
import { withOutbox } from '../webhooks/outbox.ts'
import { createIdsAndResponseVariation } from './create-ids-and-response-variation.ts'
import { openDatabase } from './open-database.ts'
import type { StartupContext } from './startup-context.ts'

/** The opened store, the events of its commits, the feed of changes for pages, and the ids and variation that the saved seed determines. */
export type OpenedStore = Awaited<ReturnType<typeof openStore>>

/** Opens the store with retention (D-109) and the outbox of webhooks (6): the first phase of a start. */
export const openStore = async ({
  config,
  clock,
  rulesOf,
  dialects,
  closing,
  onError,
  parts,
  resources,
}: StartupContext) => {
  const database = parts.store ?? (await openDatabase(config, onError))
  const retaining = withRetention(database, { keepPayments: config.keepPayments, clock, onError })
  resources.defer(retaining.close)
  const { variety, ids: seededIds } = await createIdsAndResponseVariation(config.variety, retaining)
  const ids = parts.ids ?? seededIds
  const commits = createCommitListeners()
  const formOf = (organizationId: string) => ({
    ...rulesOf(organizationId),
    write: (body: NotificationBody) => writeWebhook(dialects.of(organizationId), body),
  })
  const changes = createChangeFeed({ first: clock.real(), closing })
  const store = withOutbox(withPageChanges(retaining, changes.publish), { ids, real: clock.real, formOf, commits })
  return { store, commits, changes, ids, variety }
}
