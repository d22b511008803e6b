import { randomUUID } from 'node:crypto'
import type { Credentials, Kit } from '../client/credentials.ts'
import type { Exchange, WireRequest } from '../client/http-exchange.ts'
import type { Transport } from '../client/transport.ts'
import { pointerSegments, valueAtPointer, writeMember } from '../dialect/json-pointer.ts'
import { Inconclusive } from '../harness/judge/verdict-errors.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { ControlDriver } from '../suites/context/control-driver.ts'
import type { WebhookStubs } from '../suites/context/test-organization.ts'
import type { DeliveredWebhooks } from '../suites/drivers/delivered-webhook.ts'

/** Creates the transport of a dry run: 200 to every call, in the shapes of the profile, without a network. */
export const createDryRunTransport = (profile: Profile): Transport => ({
  exchange: async request => exchangeWith(request, responseBodyFor(profile, request)),
  session: async () => undefined,
  close: () => undefined,
})

const exchangeWith = (request: WireRequest, body: unknown): Exchange => ({
  request,
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
  durationMs: 0,
})

const responseBodyFor = (profile: Profile, { endpoint }: WireRequest): unknown => {
  if (endpoint === 'token')
    return {
      access_token: randomUUID(),
      expires_in: 7200,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      scope: 'payments:read',
    }
  const body = {}
  for (const pointer of Object.values(profile.fields?.[endpoint ?? ''] ?? {}))
    if (valueAtPointer(body, pointer) === undefined) writeMember(body, pointerSegments(pointer), randomUUID())
  return body
}

/** Creates the control client of a dry run: each operation succeeds at once, without a call. */
export const createDryRunControl = (control: ControlDriver, credentials: Credentials): ControlDriver => {
  const nothing = async () => ({})
  const methods = Object.fromEntries(Object.keys(control).map(name => [name, nothing]))
  const notification: Exchange = exchangeWith(
    { method: 'GET', url: 'https://nowhere.invalid/', headers: {} },
    { id: randomUUID() },
  )
  return {
    ...(methods as unknown as ControlDriver),
    oneTimeCode: async () => '000000',
    registerKey: async () => randomUUID(),
    certify: async () => credentials.identity.certificate,
    notification: async () => notification,
    subscribe: async () => Object.assign(nothing, { endpointId: 'none' }),
    kit: async () => kitOf(credentials),
  }
}

/** Creates where webhooks come from in a dry run: each payment has one, and no receiver is called. */
export const createDryRunWebhooks = (): WebhookStubs => {
  const nowhere = { method: 'GET', url: 'https://nowhere.invalid/', headers: {} }
  const webhook = { target: '/', headers: {}, body: '{}' }
  return {
    source: {
      outcomeOf: async () => exchangeWith(nowhere, webhook),
      deliveriesOf: async () =>
        exchangeWith(nowhere, { webhooks: [webhook], reached: true } satisfies DeliveredWebhooks),
      close: () => undefined,
    },
    failingReceiver: {
      url: nowhere.url,
      get calls(): never {
        throw new Inconclusive('a dry run gets no webhook')
      },
      close: () => undefined,
    },
  }
}

/** Returns the kit of every organization that a dry run creates: the profile's own credentials, under another id. */
const kitOf = ({
  baseUrl,
  organizationId,
  clientId,
  processingAccountIds,
  ca,
  identity,
  signingKeys,
}: Credentials): Kit => ({
  apiBaseUrl: baseUrl,
  organizationId: `not ${organizationId}`,
  clientId,
  processingAccountIds,
  ...(ca === undefined ? {} : { ca }),
  ...identity,
  signingKeys: signingKeys.map(({ keyId, algorithm, privateKey }) => ({
    keyId,
    algorithm: algorithm.name,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })),
})
