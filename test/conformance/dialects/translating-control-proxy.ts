import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signWebhook } from '../../../contracts/protocol/sign-messages.ts'
import { createWebhookHmac, WEBHOOK_HEADERS } from '../../../contracts/protocol/webhook-hmac.ts'
import type { JsonObject } from './deployment-dialect.ts'
import { withBigNumbers } from './numeric-payment-ids.ts'
import { inDialect, type ProxyParts } from './translating-proxy.ts'

/** Opens a proxy of the simulator's control API that translates payment ids and notifications. */
export const openControlProxy = async (parts: ProxyParts): Promise<{ url: string; close(): void }> => {
  const server = createServer(async (incoming, outgoing) => {
    const { status, text } = await forwarded(parts, incoming)
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const forwarded = async (parts: ProxyParts, incoming: IncomingMessage): Promise<{ status: number; text: string }> => {
  const { simulator, numbers } = parts
  const sent = Buffer.concat(await incoming.toArray()).toString()
  const target = (incoming.url ?? '').replace(
    /(\/payments\/|transactionId=)([^/&]+)/,
    (_, before: string, id: string) => `${before}${numbers.inward(decodeURIComponent(id))}`,
  )
  const method = incoming.method ?? 'GET'
  const body = sent === '' ? {} : { body: JSON.stringify(numbers.inwardAll(JSON.parse(sent))) }
  const answer = await fetch(`${simulator.pagesUrl}${target}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...body,
  })
  const text = await answer.text()
  const isMessage = answer.status === 200 && target.includes('/inbox/wait')
  return { status: answer.status, text: isMessage ? JSON.stringify(await retold(parts, JSON.parse(text))) : text }
}

type Message = { target: string; headers: Record<string, string>; body: string; secret: string }

/** Translates a notification into the deployment's dialect and signs it again. */
const retold = async ({ tongue, numbers, key }: ProxyParts, message: Message): Promise<Message> => {
  const told = numbers.outward(JSON.parse(message.body)) as JsonObject
  const text = withBigNumbers(JSON.stringify(tongue.theirs(undefined, { status: 200, body: told }).body))
  const body = Buffer.from(text)
  const { [WEBHOOK_HEADERS.id]: id = '', [WEBHOOK_HEADERS.timestamp]: timestamp = '' } = message.headers
  const webhook = { target: message.target, contentType: 'application/json', body }
  const headers = {
    ...message.headers,
    [WEBHOOK_HEADERS.signature]: createWebhookHmac(message.secret, id, timestamp, body),
    ...inDialect(tongue, await signWebhook(webhook, key, { created: Number(timestamp), ...tongue.responses })),
  }
  if (tongue.webhookSignature) delete (headers as Record<string, string>)[WEBHOOK_HEADERS.signature]
  return { ...message, headers, body: text }
}
