import { randomUUID } from 'node:crypto'
import { type Credentials, credentialsFromKit } from '../client/credentials.ts'
import type { Exchange } from '../client/exchange.ts'
import { createMerchant } from '../client/merchant.ts'
import { WORTH_RETRYING } from '../client/patience.ts'
import type { Tier } from '../harness/check.ts'
import { controlOf, credentialsOf, type Profile } from '../harness/profile.ts'
import { createGiven, type Given } from './given.ts'
import { createOperator } from './operator.ts'
import { once, type Player } from './player.ts'

/** What the journeys of the suites play with. */
export type World = Player & {
  profile: Profile
  /** Another organization of the same service. */
  second(): Promise<Player>
  /** An organization whose clock may be moved as far as a check likes; its time is nobody else's. */
  traveller(): Promise<Player>
  given: Given
  /** Every exchange of every player so far. */
  transcript: readonly Exchange[]
  close(): void
}

/** Builds the world that a profile describes; below tier 3 it makes no payment. Reads credentials, calls nobody. */
export const createWorld = (profile: Profile, tier: Tier): World => {
  const players: Player[] = []
  const transcript: Exchange[] = []
  const join = (credentials: Credentials): Player => {
    const player = createPlayer(profile, credentials, exchange => transcript.push(exchange))
    players.push(player)
    return player
  }
  const first = join(credentialsOf(profile, profile.organization))
  const second = once(async () => join(await secondCredentials(profile)))
  return {
    ...first,
    profile,
    second,
    traveller: once(async () =>
      join(await createdCredentials(profile, `${createdName(profile)}-${randomUUID().slice(0, 8)}`)),
    ),
    given: createGiven(profile, tier, first, second),
    transcript,
    close: () => {
      for (const { merchant } of players) merchant.close()
    },
  }
}

const createPlayer = (profile: Profile, credentials: Credentials, onExchange: (exchange: Exchange) => void): Player => {
  const { paths, dialect } = profile
  return {
    merchant: createMerchant(credentials, {
      ...(paths && { paths }),
      ...(dialect && { dialect }),
      retry: WORTH_RETRYING,
      onExchange,
    }),
    operator: createOperator(controlOf(profile), credentials.organizationId),
    account: credentials.processingAccountIds[0] ?? '',
  }
}

const secondCredentials = async (profile: Profile): Promise<Credentials> => {
  const source = profile.secondOrganization
  if (!source) throw new Error('A journey uses the second organization and does not name it among its needs.')
  return 'create' in source ? createdCredentials(profile, source.create) : credentialsOf(profile, source)
}

/** Credentials of an organization that the control address hands out, made on the spot if need be. */
const createdCredentials = async (profile: Profile, organizationId: string): Promise<Credentials> => {
  const kit = await createOperator(controlOf(profile), organizationId).kit()
  return { ...credentialsFromKit(kit), baseUrl: profile.target.baseUrl }
}

const createdName = ({ secondOrganization }: Profile): string =>
  secondOrganization && 'create' in secondOrganization ? secondOrganization.create : 'certify'
