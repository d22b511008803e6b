import type { ServiceVersion } from '../../contracts/protocol/api-versioning.ts'
import type { SigningKey } from '../../contracts/protocol/sign-messages.ts'
import type { BaseUrlResolver } from '../installation/base-url-resolver.ts'
import type { Installation } from '../installation/installation-keys-and-certificates.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { RulesOf } from '../operations/operation-types.ts'
import type { PaymentQuota } from '../operations/payment-quota.ts'
import type { Config } from '../options/options.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import type { DialectRegistry } from '../support/dialect-registry.ts'
import type { Ids } from '../support/ids.ts'
import type { ApiLayers } from './api-layer-order-and-routing.ts'
import type { CertificateAndKeyCache } from './certificate-and-key-cache.ts'
import type { SeededVariation } from './variation/seeded-variation.ts'

/** Dependencies of the payment API's HTTP layer, as startup/ composes them. */
export type ApiDependencies = {
  config: Config
  store: Store
  identityCache: CertificateAndKeyCache
  paymentQuota: PaymentQuota
  clock: Clock
  ids: Ids
  jobs: JobScheduler
  journal: Journal
  installation: Installation
  /** The service's key for responses. */
  key: SigningKey
  baseUrls: BaseUrlResolver
  rulesOf: RulesOf
  /** What each organization's deployment is spoken like, and does otherwise. */
  dialects: DialectRegistry
  versions: readonly ServiceVersion[]
  variety: SeededVariation | undefined
  /** Layers with which a test replaces the real ones. */
  layers: Partial<ApiLayers>
  /** Told of each call and its response, with secrets masked. */
  observeCall: (entry: JournalEntry) => void
  onError: (error: unknown) => void
}
