import { randomUUID } from 'node:crypto'
import type { Credentials } from '../../client/credentials.ts'
import type { Exchange } from '../../client/http-exchange.ts'
import type { Tier } from '../../harness/judge/check.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { checkReferences, readCredentials } from '../../harness/profile/read-profile-credentials.ts'
import { createSharedResources, type GivenPayments, type SharedResources } from './shared-resources.ts'
import {
  type ContextWrappers,
  createCredentials,
  createTestOrganization,
  type TestOrganization,
  type WebhookStubs,
} from './test-organization.ts'

/** Context of a check scenario: the organization under test, the profile, a second organization, shared payments. */
export type CheckContext = TestOrganization &
  SharedResources & {
    profile: Profile
    /** The organization for a scenario that lets time pass: on a simulator a new one with its own clock, else the first. */
    organizationForTime(): Promise<TestOrganization>
    /** Every exchange of all organizations so far. */
    transcript: readonly Exchange[]
    /** All organizations used so far. */
    organizations: readonly TestOrganization[]
    /** Stubs of a dry run, in place of where webhooks come from. */
    webhooks?: WebhookStubs
    /** Opens an organization of an earlier run, with the kit from the control address. */
    join(organizationId: string): Promise<TestOrganization>
    /** Aborts when the context is closed: whatever waits ends then. */
    ended: AbortSignal
    close(): void
  }

/** Creates the context that a profile describes; reads credentials, makes no call. Creates payments only from tier 3. */
export const createCheckContext = (
  profile: Profile,
  tier: Tier,
  wrappers: ContextWrappers = {},
  given: GivenPayments = {},
): CheckContext => {
  const organizations: TestOrganization[] = []
  const transcript: Exchange[] = []
  const ended = new AbortController()
  const join = (credentials: Credentials): TestOrganization => {
    const organization = createTestOrganization(profile, credentials, wrappers, {
      onExchange: exchange => transcript.push(exchange),
      ended: ended.signal,
    })
    organizations.push(organization)
    return organization
  }
  const joinCreated = async (organizationId: string) => join(await createCredentials(profile, organizationId, wrappers))
  checkReferences(profile)
  const first = join(readCredentials(profile, profile.organization))
  const joinSecond = async (): Promise<TestOrganization> => {
    const source = profile.secondOrganization
    if (!source) throw new Error('A scenario uses the second organization and does not name it among its needs.')
    const credentials =
      'create' in source ? await createCredentials(profile, source.create, wrappers) : readCredentials(profile, source)
    ensureOther(profile, credentials, first)
    return join(credentials)
  }
  return {
    ...first,
    profile,
    ...createSharedResources(profile, tier, first, joinSecond, given),
    organizationForTime: async () =>
      profile.control ? joinCreated(`${createdName(profile)}-${randomUUID().slice(0, 8)}`) : first,
    transcript,
    organizations,
    ...(wrappers.webhooks && { webhooks: wrappers.webhooks }),
    join: joinCreated,
    ended: ended.signal,
    close: () => {
      ended.abort()
      for (const { merchant } of organizations) merchant.close()
    },
  }
}

/** Throws Untestable where the second organization is the first: every stranger's call would be an owner's. */
const ensureOther = ({ file }: Profile, { organizationId }: Credentials, { merchant }: TestOrganization): void => {
  const line = 'secondOrganization'
  if (organizationId === merchant.credentials.organizationId)
    throw new Untestable(`it takes two organizations: name another one as ${line} in ${file}`, undefined, line)
}

const createdName = ({ secondOrganization }: Profile): string =>
  secondOrganization && 'create' in secondOrganization ? secondOrganization.create : 'certify'
