/** Instant after every due time, to find the next due item however far away it is. */
export const AFTER_ALL_DUE_TIMES = Number.MAX_SAFE_INTEGER

/**
 * The next due item of an organization's jobs and deliveries: its name, payment and due time on the organization's
 * clock.
 */
export type DueItem = { at: number; name: string; transactionId?: string | undefined }

/** A source of due work by the organization's clock: jobs (deadlines, late provider calls) or webhook deliveries. */
export type DueWorkSource = {
  /** The earliest item that is not being processed already. */
  next(organizationId: string): Promise<DueItem | undefined>
  /**
   * Runs every item due up to this instant, each at its own due time, and items that they schedule up to then. Returns
   * how many ran. An item in progress is awaited, never started twice.
   *
   * `unresponsive` collects receivers that left an attempt without a response: what is due to them goes on, but is not
   * awaited any more. Without it all is.
   */
  runDue(organizationId: string, upTo: number, unresponsive?: Set<string>): Promise<number>
}

/** A source of due work that takes long, such as outgoing calls, which a scheduler starts and does not wait for. */
export type BackgroundWorkSource = DueWorkSource & {
  /**
   * Starts what is due by now and not under way; returns the ends, with their internal failures, of all that is under way
   * and of which no call before has returned the end.
   */
  startDue(organizationId: string): Promise<readonly Promise<{ error?: unknown }>[]>
}

/** Finds the earliest due item of all sources of due work; at the same instant the order of the sources decides. */
export const findFirstDue = async (
  kinds: readonly DueWorkSource[],
  organizationId: string,
): Promise<DueItem | undefined> => {
  const found = await Promise.all(kinds.map(kind => kind.next(organizationId)))
  return found.reduce((first, thing) => (thing && (!first || thing.at < first.at) ? thing : first), undefined)
}

/** Runs the due jobs and deliveries of all sources up to this instant; returns how many ran. */
export const runAllDue = async (
  kinds: readonly DueWorkSource[],
  organizationId: string,
  upTo: number,
  unresponsive?: Set<string>,
): Promise<number> => {
  let ran = 0
  for (const kind of kinds) ran += await kind.runDue(organizationId, upTo, unresponsive)
  return ran
}
