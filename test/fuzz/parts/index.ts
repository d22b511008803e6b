import type { Part } from '../part.ts'
import { bodies } from './bodies.ts'
import { control } from './control.ts'
import { drills } from './drills.ts'
import { fields } from './fields.ts'
import { handshakes } from './handshakes.ts'
import { headers } from './headers.ts'
import { json } from './json.ts'
import { keys } from './keys.ts'
import { lab } from './lab.ts'
import { hosted, portal } from './pages.ts'
import { profiles } from './profiles.ts'
import { raw } from './raw.ts'
import { receivers } from './receivers.ts'
import { reports } from './reports.ts'
import { scenarios } from './scenarios.ts'
import { snapshots } from './snapshots.ts'
import { tls } from './tls.ts'
import { webhooks } from './webhooks.ts'

/** Everything that takes what strangers send. */
export const PARTS: readonly Part[] = [
  ...[fields, json, keys, lab, scenarios, drills, profiles, reports],
  ...[headers, handshakes, bodies, raw, control, hosted, portal, receivers, webhooks, snapshots, tls],
]
