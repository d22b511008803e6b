import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SeededRandom } from '../support/seeded-random.ts'

/** Opens a webhook receiver for crash and outage tests that sometimes fails, so that deliveries are repeated. */
export const openWebhookReceiver = async (chance: SeededRandom) => {
  const taken = new Map<string, { body: string; times: number }>()
  const problems: string[] = []
  const watch = { count: 0, onWebhook: () => {} }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const fails = chance.below(20) === 0
    watch.count += 1
    if (!fails) note(String(request.headers['webhook-id']), body)
    response.writeHead(fails ? 500 : 200).end()
    watch.onWebhook()
  })
  const note = (id: string, body: string) => {
    const before = taken.get(id)
    if (before && before.body !== body) problems.push(`the webhook ${id} came again with another body`)
    taken.set(id, { body, times: (before?.times ?? 0) + 1 })
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    /** Acknowledged notifications by id. */
    taken,
    /** Problems found in deliveries. */
    problems,
    watch,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>
