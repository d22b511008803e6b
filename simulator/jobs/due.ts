/** One thing that an organization's clock will bring: what it is, whose, and when. */
export type DueThing = { at: number; name: string; transactionId?: string | undefined }

/** A kind of thing that falls due by an organization's clock: deadlines and late answers, deliveries. */
export type Due = {
  /** The first that nobody has taken up yet; those under way are left out. */
  next(organizationId: string): Promise<DueThing | undefined>
  /**
   * Runs all that is due up to this instant, each at its own, and what they make due up to then; how many ran.
   * What is under way already is waited for, never begun twice.
   */
  runDue(organizationId: string, upTo: number): Promise<number>
}

/** What comes first among all kinds; at one instant the order of the kinds decides. */
export const firstOf = async (kinds: readonly Due[], organizationId: string): Promise<DueThing | undefined> => {
  const found = await Promise.all(kinds.map(kind => kind.next(organizationId)))
  return found.reduce((first, thing) => (thing && (!first || thing.at < first.at) ? thing : first), undefined)
}

/** Runs every kind up to this instant; how many ran. */
export const runAll = async (kinds: readonly Due[], organizationId: string, upTo: number): Promise<number> => {
  let ran = 0
  for (const kind of kinds) ran += await kind.runDue(organizationId, upTo)
  return ran
}
