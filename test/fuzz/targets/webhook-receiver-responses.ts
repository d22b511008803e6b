import { type AddressInfo, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { createAllowedTargets } from '../../../simulator/webhooks/allowed-target-addresses.ts'
import { updateAfterAttempt } from '../../../simulator/webhooks/retry-schedule.ts'
import { createSendWebhook } from '../../../simulator/webhooks/send-webhook.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'

type Input = { response: string; ending: 'end' | 'reset' | 'hang'; at: 'once' | 'request' }

const SAMPLES = [
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 429 Slow\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\n',
  'HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:9/\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 204 Done\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nTrailer: x\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
]
const PIECES = [
  'HTTP/1.1 ',
  '200',
  '999',
  '000',
  '\r\n',
  '\r\n\r\n',
  'Retry-After: ',
  '999999999',
  '-1',
  'Content-Length: 5\r\n',
  'Content-Length: 99999999999\r\n',
  'ffffffff\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'X'.repeat(20_000),
]

const DELIVERY = {
  deliveryId: 'd',
  endpointId: 'e',
  notificationId: 'n',
  state: 'waiting',
  attemptCount: 0,
  firstDueAt: 0,
  dueAt: 0,
} as unknown as Parameters<typeof updateAfterAttempt>[0]

/** Fuzz target: responses of webhook receivers; every attempt ends, and the next one has a valid time. */
export const webhookReceivers = fuzzTarget<Input>({
  name: 'receivers',
  sends: "answers of hostile receivers to the sandbox's webhooks",
  inputs: fc.record({
    response: nearly(SAMPLES, PIECES, 60_000).map(text => text.replaceAll(/[^\0-\xff]/g, '?')),
    ending: fc.constantFrom('end', 'end', 'end', 'end', 'end', 'reset', 'reset', 'hang'),
    at: fc.constantFrom('once', 'request'),
  }),
  covers: [
    'simulator/webhooks/send-webhook.ts',
    'simulator/webhooks/retry-schedule.ts',
    'simulator/webhooks/allowed-target-addresses.ts',
  ],
  few: 60,
  open: async fixture => {
    let current: Input = { response: '', ending: 'end', at: 'once' }
    const speak = (socket: Socket): void => {
      const { response, ending } = current
      socket.write(Buffer.from(response, 'latin1'), () => {
        if (ending === 'end') socket.end()
        if (ending === 'reset') socket.resetAndDestroy()
      })
    }
    const server = createServer(socket => {
      socket.on('error', () => undefined).once('data', () => current.at === 'request' && speak(socket))
      if (current.at === 'once') speak(socket)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    fixture.onClose(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    const send = createSendWebhook({ targets: createAllowedTargets(['127.0.0.0/8']), timeoutMilliseconds: 150 })
    return async input => {
      current = input
      const { response, error, durationMilliseconds } = await send(
        url,
        { 'content-type': 'application/json' },
        '{}',
        new AbortController().signal,
      )
      if ((response === undefined) === (error === undefined)) return 'neither a response nor a reason'
      if (error === '') return 'the reason is empty'
      if (durationMilliseconds > 20_000) return `a try took ${durationMilliseconds} ms`
      if (response && response.body.length > 16_384) return `${response.body.length} characters are kept of an answer`
      const { dueAt = 0, attemptCount } = updateAfterAttempt(
        DELIVERY,
        { status: response?.status, retryAfter: response?.headers['retry-after'] },
        0,
        Date.now(),
      )
      return Number.isSafeInteger(dueAt) && attemptCount === 1 ? undefined : `the next try is due at ${dueAt}`
    }
  },
})
