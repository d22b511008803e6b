import { createJobScheduler, type RunJob } from '../jobs/job-scheduler.ts'
import type { RulesOf } from '../operations/operation-types.ts'
import { createRunJob } from '../operations/run-job.ts'
import type { Ids } from '../support/ids.ts'
import type { CommitListeners } from '../webhooks/commit-listeners.ts'
import { openWebhookSending, type WebhookDependencies } from '../webhooks/open-webhook-sending.ts'

type Parts = WebhookDependencies & {
  ids: Ids
  rulesOf: RulesOf
  commits: Pick<CommitListeners, 'subscribe'>
}

/** Starts the sending of webhooks and the scheduler of due work; both follow what the store commits. */
export const startWebhooksAndJobs = (parts: Parts) => {
  const { store, clock, commits, onError } = parts
  const webhooks = openWebhookSending(parts)
  const jobs = createJobScheduler(
    store,
    clock,
    createObservedRun(parts),
    [webhooks.dispatcher],
    onError,
    store.replicas?.leads,
  )
  commits.subscribe(async ({ organizationId, dueTimes, hasMessages, awaitedDeliveryIds }) => {
    for (const dueAt of dueTimes) jobs.scheduled(organizationId, dueAt)
    if (hasMessages) webhooks.newsSignal.notify(organizationId)
    await webhooks.dispatcher.firstAttempts(organizationId, awaitedDeliveryIds)
  })
  return { webhooks, jobs }
}

/** Creates the function that runs a job, and tells the observer how long after its due time. */
const createObservedRun = (parts: Parts): RunJob => {
  const run = createRunJob(parts)
  return async (organizationId, job) => {
    const lag = parts.clock.realSince(organizationId, job.dueAt)
    await run(organizationId, job)
    parts.observer.job({ organizationId, name: job.name, lag })
  }
}
