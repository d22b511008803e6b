import { type Credentials, credentialsFromKit } from '../../client/credentials.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import { createMerchant, type Merchant } from '../../client/merchant-client.ts'
import { BUSY_STATUSES } from '../../client/retry-policy.ts'
import { createTransport, type Transport } from '../../client/transport.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { readControlAddress } from '../../harness/profile/read-profile-credentials.ts'
import { createRequestDialect } from '../../harness/profile/request-dialect.ts'
import { type ControlDriver, createControlDriver } from './control-driver.ts'

/** One organization under test: profile, merchant client, control driver, and the processing account that it uses. */
export type TestOrganization = { profile: Profile; merchant: Merchant; driver: ControlDriver; account: string }

/** Wrappers of the transport and of the control driver, such as the safety guard and the ledger. */
export type ContextWrappers = {
  transport?(transport: Transport, organizationId: string): Transport
  driver?(driver: ControlDriver, organizationId: string): ControlDriver
}

/** Creates the clients of an organization for the deployment that a profile describes; makes no call. */
export const createTestOrganization = (
  profile: Profile,
  credentials: Credentials,
  wrappers: ContextWrappers,
  onExchange: (exchange: Exchange) => void,
): TestOrganization => {
  const { paths, dialect, responses, keySet, budgets } = profile
  const { ca, identity, organizationId } = credentials
  const timeoutMs = budgets?.callSeconds === undefined ? {} : { timeoutMs: budgets.callSeconds * 1000 }
  const transport = createTransport({ identity, ...(ca === undefined ? {} : { ca }), ...timeoutMs })
  return {
    profile,
    merchant: createMerchant(credentials, {
      ...(paths && { paths }),
      ...(dialect && { dialect }),
      ...(responses && { responses }),
      isKeySetProtected: keySet?.protected === true,
      requestDialect: createRequestDialect(profile),
      retry: BUSY_STATUSES,
      onExchange,
      transport: wrappers.transport?.(transport, organizationId) ?? transport,
    }),
    driver: createDriver(profile, organizationId, wrappers),
    account: credentials.processingAccountIds[0] ?? '',
  }
}

/** Reads the credentials of an organization from the control address, which creates the organization if necessary. */
export const createCredentials = async (
  profile: Profile,
  organizationId: string,
  wrappers: ContextWrappers,
): Promise<Credentials> => {
  const kit = await createDriver(profile, organizationId, wrappers).kit()
  return { ...credentialsFromKit(kit), baseUrl: profile.target.baseUrl }
}

const createDriver = (profile: Profile, organizationId: string, wrappers: ContextWrappers): ControlDriver => {
  const driver = createControlDriver(readControlAddress(profile), organizationId)
  return wrappers.driver?.(driver, organizationId) ?? driver
}
