import { onTestFinished } from 'vitest'
import { type Credentials, credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant, type MerchantOptions } from '../../contracts/client/merchant-client.ts'
import type { Config } from '../../simulator/options/options.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import type { SimulatorParts } from '../../simulator/startup/startup-context.ts'
import { storeOptionFor } from './open-test-store.ts'
import { irisRequest } from './payment-requests.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Starts a simulator on free ports that stops with the test; the `dataDir` of an earlier one restarts that. */
export const startScopedSimulator = async (config: Partial<Config> = {}, parts: Partial<SimulatorParts> = {}) => {
  const dataDir = config.dataDir ?? temporaryFolder()
  const store = await storeOptionFor(dataDir)
  const simulator = await startSimulator({ apiPort: 0, pagesPort: 0, ...store, ...config, dataDir }, parts)
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= simulator.close()
    return closing
  }
  onTestFinished(stop)
  return { ...simulator, dataDir, stop }
}

export type ScopedSimulator = Awaited<ReturnType<typeof startScopedSimulator>>

/** Creates the merchant client of a test simulator's demo organization; its tokens follow the organization's clock. */
export const merchantOf = ({ kit, controlPlane: operator }: ScopedSimulator, options: MerchantOptions = {}) =>
  merchantWith(credentialsFromKit(kit), { now: () => operator.now(kit.organizationId), ...options })

export const merchantWith = (credentials: Credentials, options: MerchantOptions = {}) => {
  const merchant = createMerchant(credentials, options)
  onTestFinished(() => merchant.close())
  return merchant
}

/** Creates a second organization in a test simulator; returns its merchant client. */
export const createSecondMerchant = async ({ kit, controlPlane: operator }: ScopedSimulator) => {
  const { apiBaseUrl, pagesBaseUrl, jwksUrl } = kit
  const credentials = await operator.organizations.create('other-merchant')
  return merchantWith(credentialsFromKit({ apiBaseUrl, pagesBaseUrl, jwksUrl, ...credentials }))
}

export const firstAccountOf = ({ credentials }: Merchant): string => credentials.processingAccountIds[0] ?? ''

/**
 * Creates the body of a test's request to initiate an IRIS payment on the merchant's first account; it needs no
 * one-time code.
 */
export const irisRequestOf = (merchant: Merchant) => ({
  ...irisRequest(),
  processingAccountId: firstAccountOf(merchant),
})

/** Initiates an IRIS payment over HTTP in a test; returns its id. */
export const initiateIris = async (merchant: Merchant): Promise<string> => {
  const answer = await merchant.initiate(irisRequestOf(merchant))
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  return answer.body.transactionId
}
