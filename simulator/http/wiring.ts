import type { ServerOptions } from 'node:https'
import type { ServiceVersion } from '../../contracts/protocol/service-version.ts'
import type { AddressBook } from '../addresses.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Journal } from '../journal/journal.ts'
import type { Rules } from '../operations/operation.ts'
import type { Installation } from '../operator/installation.ts'
import type { Config } from '../options.ts'
import type { Store } from '../store/port.ts'
import type { Variety } from '../variety/variety.ts'
import type { Layers } from './api.ts'
import type { Trust } from './trust.ts'

/** What the API is built from. */
export type ApiWiring = {
  config: Config
  store: Store
  trust: Trust
  clock: Clock
  ids: Ids
  jobs: Jobs
  journal: Journal
  installation: Installation
  addresses: AddressBook
  rules: Rules
  versions: readonly ServiceVersion[]
  variety: Variety | undefined
  /** Layers that a test puts in place of the real ones. */
  layers: Partial<Layers>
  /** Settings of TLS that it puts in place of the real ones. */
  tls: ServerOptions | undefined
  onFault: (error: unknown) => void
}
