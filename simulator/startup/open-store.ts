import { withRetention } from '../store/with-retention.ts'
import { createCommitEvents } from '../webhooks/commit-events.ts'
import { withOutbox } from '../webhooks/outbox.ts'
import type { Startup } from './begin-startup.ts'
import { createIdsAndResponseVariation } from './create-ids-and-response-variation.ts'
import { openDatabase } from './open-database.ts'

/** The opened store, the events of its commits, and the ids and variation that the saved seed determines. */
export type OpenedStore = Awaited<ReturnType<typeof openStore>>

/** First phase: opens the only store there is, with retention (D-109) and the outbox of webhooks (6). */
export const openStore = async ({ config, clock, rules, onError, parts, resources }: Startup) => {
  const database = parts.store ?? (await openDatabase(config, onError))
  const retaining = withRetention(database, { keepPayments: config.keepPayments, now: clock.now, onError })
  resources.defer(retaining.close)
  const { variety, ids: seededIds } = await createIdsAndResponseVariation(config.variety, retaining)
  const ids = parts.ids ?? seededIds
  const commits = createCommitEvents()
  const store = withOutbox(retaining, { ids, real: clock.real, showLifecycle: rules.showLifecycle, commits })
  return { store, commits, ids, variety }
}
