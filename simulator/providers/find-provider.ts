import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import { blik } from './blik.ts'
import { iris } from './iris.ts'
import type { Provider } from './provider.ts'

const SIMULATED_PROVIDERS: Readonly<Record<ProviderId, Provider>> = { BLIK: blik, IRIS: iris }

/** Returns the simulated provider of an id. */
export const findProvider = (providerId: ProviderId): Provider => SIMULATED_PROVIDERS[providerId]
