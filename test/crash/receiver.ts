import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chance } from '../support/chance.ts'

/** A merchant's server for webhooks; now and then it fails, so that the same comes again. */
export const openReceiver = async (chance: Chance) => {
  const taken = new Map<string, { body: string; times: number }>()
  const told: string[] = []
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
    if (before && before.body !== body) told.push(`the webhook ${id} came again and said something else`)
    taken.set(id, { body, times: (before?.times ?? 0) + 1 })
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    /** Those that were acknowledged, by their id. */
    taken,
    /** What was wrong with them. */
    told,
    watch,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>
