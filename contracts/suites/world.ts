import { randomUUID } from 'node:crypto'
import { type Credentials, credentialsFromKit } from '../client/credentials.ts'
import type { Exchange } from '../client/exchange.ts'
import { createMerchant } from '../client/merchant.ts'
import { WORTH_RETRYING } from '../client/patience.ts'
import { createTransport, type Transport } from '../client/transport.ts'
import type { Tier } from '../harness/check.ts'
import { controlOf, credentialsOf, type Profile } from '../harness/profile.ts'
import { spellingOf } from '../harness/spelling.ts'
import { createGiven, type Given } from './given.ts'
import { createOperator, type Operator } from './operator.ts'
import { once, type Player } from './player.ts'

/** What the journeys of the suites play with. */
export type World = Player & {
  profile: Profile
  /** Another organization of the same service. */
  second(): Promise<Player>
  /** A new organization whose clock may be moved as far as a journey likes; its time is nobody else's. */
  traveller(): Promise<Player>
  given: Given
  /** Every exchange of every player so far. */
  transcript: readonly Exchange[]
  /** All who have played so far. */
  players: readonly Player[]
  /** An organization of an earlier run, by the kit that a control address holds of it. */
  join(organizationId: string): Promise<Player>
  close(): void
}

/** What may stand between the players and the outside: a guard, a ledger, or nobody at all. */
export type Wiring = {
  transport?(transport: Transport, organizationId: string): Transport
  operator?(operator: Operator, organizationId: string): Operator
}

/** Builds the world that a profile describes; below tier 3 it makes no payment. Reads credentials, calls nobody. */
export const createWorld = (profile: Profile, tier: Tier, wiring: Wiring = {}): World => {
  const players: Player[] = []
  const transcript: Exchange[] = []
  const join = (credentials: Credentials): Player => {
    const player = createPlayer(profile, credentials, wiring, exchange => transcript.push(exchange))
    players.push(player)
    return player
  }
  const first = join(credentialsOf(profile, profile.organization))
  const second = once(async () => join(await secondCredentials(profile, wiring)))
  return {
    ...first,
    profile,
    second,
    traveller: async () =>
      join(await createdCredentials(profile, `${createdName(profile)}-${randomUUID().slice(0, 8)}`, wiring)),
    given: createGiven(profile, tier, first, second),
    transcript,
    players,
    join: async organizationId => join(await createdCredentials(profile, organizationId, wiring)),
    close: () => {
      for (const { merchant } of players) merchant.close()
    },
  }
}

const createPlayer = (
  profile: Profile,
  credentials: Credentials,
  wiring: Wiring,
  onExchange: (exchange: Exchange) => void,
): Player => {
  const { paths, dialect, budgets } = profile
  const { ca, identity, organizationId } = credentials
  const timeoutMs = budgets?.callSeconds === undefined ? {} : { timeoutMs: budgets.callSeconds * 1000 }
  const transport = createTransport({ identity, ...(ca === undefined ? {} : { ca }), ...timeoutMs })
  return {
    merchant: createMerchant(credentials, {
      ...(paths && { paths }),
      ...(dialect && { dialect }),
      spelling: spellingOf(profile),
      retry: WORTH_RETRYING,
      onExchange,
      transport: wiring.transport?.(transport, organizationId) ?? transport,
    }),
    operator: operatorOf(profile, organizationId, wiring),
    account: credentials.processingAccountIds[0] ?? '',
  }
}

const operatorOf = (profile: Profile, organizationId: string, wiring: Wiring): Operator => {
  const operator = createOperator(controlOf(profile), organizationId)
  return wiring.operator?.(operator, organizationId) ?? operator
}

const secondCredentials = async (profile: Profile, wiring: Wiring): Promise<Credentials> => {
  const source = profile.secondOrganization
  if (!source) throw new Error('A journey uses the second organization and does not name it among its needs.')
  return 'create' in source ? createdCredentials(profile, source.create, wiring) : credentialsOf(profile, source)
}

/** Credentials of an organization that the control address hands out, made on the spot if need be. */
const createdCredentials = async (profile: Profile, organizationId: string, wiring: Wiring): Promise<Credentials> => {
  const kit = await operatorOf(profile, organizationId, wiring).kit()
  return { ...credentialsFromKit(kit), baseUrl: profile.target.baseUrl }
}

const createdName = ({ secondOrganization }: Profile): string =>
  secondOrganization && 'create' in secondOrganization ? secondOrganization.create : 'certify'
