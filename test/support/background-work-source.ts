import { AFTER_ALL_DUE_TIMES, type BackgroundWorkSource, type DueWorkSource } from '../../simulator/jobs/due-work.ts'

/** Makes a source of due work of a test one that is started and not waited for: each start runs all that is due. */
export const startedInBackground = (source: DueWorkSource): BackgroundWorkSource => ({
  ...source,
  startDue: async organizationId => [
    source.runDue(organizationId, AFTER_ALL_DUE_TIMES).then(
      () => ({}),
      error => ({ error }),
    ),
  ],
})
