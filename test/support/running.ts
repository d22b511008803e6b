import { onTestFinished } from 'vitest'
import { type Credentials, credentialsFromKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant, type MerchantOptions } from '../../contracts/client/merchant.ts'
import type { Config } from '../../simulator/options.ts'
import { type SimulatorParts, startSimulator } from '../../simulator/simulator.ts'
import { storeFor } from './open-test-store.ts'
import { irisRequest } from './payments.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A simulator of the running test's own on free ports; `dataDir` of an earlier one starts it again. */
export const runningSimulator = async (config: Partial<Config> = {}, parts: Partial<SimulatorParts> = {}) => {
  const dataDir = config.dataDir ?? temporaryFolder()
  const store = await storeFor(dataDir)
  const simulator = await startSimulator({ apiPort: 0, pagesPort: 0, ...store, ...config, dataDir }, parts)
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= simulator.close()
    return closing
  }
  onTestFinished(stop)
  return { ...simulator, dataDir, stop }
}

export type Running = Awaited<ReturnType<typeof runningSimulator>>

/** A merchant of the simulator's demo organization; its tokens follow the organization's clock. */
export const merchantOf = ({ kit, operator }: Running, options: MerchantOptions = {}) =>
  merchantWith(credentialsFromKit(kit), { now: () => operator.now(kit.organizationId), ...options })

export const merchantWith = (credentials: Credentials, options: MerchantOptions = {}) => {
  const merchant = createMerchant(credentials, options)
  onTestFinished(() => merchant.close())
  return merchant
}

/** The merchant of a second organization on the same simulator. */
export const otherMerchantOf = async ({ kit, operator }: Running) => {
  const { apiBaseUrl, pagesBaseUrl, jwksUrl } = kit
  const credentials = await operator.organizations.create('other-merchant')
  return merchantWith(credentialsFromKit({ apiBaseUrl, pagesBaseUrl, jwksUrl, ...credentials }))
}

export const accountOf = ({ credentials }: Merchant): string => credentials.processingAccountIds[0] ?? ''

/** An IRIS payment as this merchant asks for it: it needs no code, so it can be asked for at any time. */
export const irisOf = (merchant: Merchant) => ({ ...irisRequest(), processingAccountId: accountOf(merchant) })

/** Starts an IRIS payment and tells its id. */
export const initiated = async (merchant: Merchant): Promise<string> => {
  const answer = await merchant.initiate(irisOf(merchant))
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  return answer.body.transactionId
}
