import { PORTAL_REPORTS } from './texts/capabilities.ts'
import { PORTAL_CONDUCT } from './texts/conduct.ts'
import { PORTAL_FRAME } from './texts/frame.ts'
import { PORTAL_IDENTITIES } from './texts/identities.ts'
import { PORTAL_JOURNAL } from './texts/journal.ts'
import { PORTAL_LAB } from './texts/lab.ts'
import { PORTAL_MOVES } from './texts/moves.ts'
import { PORTAL_ORGANIZATIONS } from './texts/organizations.ts'
import { PORTAL_TIMELINE } from './texts/timeline.ts'
import { PORTAL_WEBHOOKS } from './texts/webhooks.ts'

/** Every sentence of the portal, one table for each part of it. */
export const PORTAL = {
  ...PORTAL_FRAME,
  ...PORTAL_ORGANIZATIONS,
  ...PORTAL_IDENTITIES,
  ...PORTAL_WEBHOOKS,
  ...PORTAL_REPORTS,
  ...PORTAL_TIMELINE,
  ...PORTAL_JOURNAL,
  ...PORTAL_LAB,
  ...PORTAL_MOVES,
  ...PORTAL_CONDUCT,
}
