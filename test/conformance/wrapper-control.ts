import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signWebhook } from '../../contracts/protocol/sign.ts'
import { WEBHOOK, webhookSignature } from '../../contracts/protocol/webhook-signature.ts'
import type { Json } from './spellings/tongue.ts'
import type { Parts } from './translating-wrapper.ts'

/** The simulator's control address, in which payments have the names that the deployment gives them. */
export const openControl = async (parts: Parts): Promise<{ url: string; close(): void }> => {
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

const forwarded = async (parts: Parts, incoming: IncomingMessage): Promise<{ status: number; text: string }> => {
  const { simulator, numbers } = parts
  const sent = Buffer.concat(await incoming.toArray()).toString()
  const target = (incoming.url ?? '').replace(
    /(\/payments\/|transactionId=)([^/&]+)/,
    (_, before: string, id: string) => `${before}${numbers.inward(id)}`,
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

/** A notification in the words of the deployment, signed anew. */
const retold = async ({ tongue, numbers, key }: Parts, message: Message): Promise<Message> => {
  const told = numbers.outward(JSON.parse(message.body)) as Json
  const text = JSON.stringify(tongue.theirs(undefined, { status: 200, body: told }).body)
  const body = Buffer.from(text)
  const { [WEBHOOK.id]: id = '', [WEBHOOK.timestamp]: timestamp = '' } = message.headers
  const webhook = { target: message.target, contentType: 'application/json', body }
  const headers = {
    ...message.headers,
    [WEBHOOK.signature]: webhookSignature(message.secret, id, timestamp, body),
    ...(await signWebhook(webhook, key, { created: Number(timestamp) })),
  }
  return { ...message, headers, body: text }
}
