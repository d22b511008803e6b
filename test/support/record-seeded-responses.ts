import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { onTestFinished } from 'vitest'
import type { Config } from '../../simulator/options/options.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { createSignedRawRequest } from './create-signed-raw-request.ts'
import { storeOptionFor } from './open-test-store.ts'
import { identityOf, irisInitiateBody, signingKeyOf, tokenForm } from './raw-request-sandbox.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** One raw response without what a seed cannot repeat: its date, keys, secrets and signatures. */
type RecordedResponse = { status: number; headers: string[]; body: string }

type Sent = { target: string; body?: object | string; key?: string; contentType?: string }

const UNREPEATABLE = /"(access_token|x|y|kid|redirectUrl|qrCode)":"[^"]*"/g
const OTHER_EACH_TIME: readonly string[] = ['date', 'signature', 'signature-input']

/** Starts a simulator with a `--variety` seed and a fixed clock, and records each raw response of a merchant. */
export const openRecordedRun = async (variety: string | undefined, now: number, dataDir = temporaryFolder()) => {
  const clock = createClock(() => now)
  const store = await storeOptionFor(dataDir)
  const config: Partial<Config> = { ...store, dataDir, apiPort: 0, pagesPort: 0, pagesUrl: 'http://pages.example' }
  const simulator = await startSimulator({ ...config, ...(variety === undefined ? {} : { variety }) }, { clock })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= simulator.close()
    return stopped
  }
  onTestFinished(stop)
  const { apiUrl, kit, controlPlane: operator } = simulator
  const merchant = { kit, signingKey: signingKeyOf(kit), token: '' }
  const told: RecordedResponse[] = []

  const call = async ({ target, body, key = `key-${told.length}`, contentType }: Sent): Promise<RecordedResponse> => {
    const created = Math.floor(now / 1000)
    const message = await createSignedRawRequest({
      merchant,
      created,
      target,
      key,
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
    })
    const { status, rawHeaders, text } = await exchange(new URL(target, apiUrl), message, identityOf(kit))
    if (target === '/auth/token') merchant.token = String(JSON.parse(text).access_token)
    const body_ = text.replace(UNREPEATABLE, '"$1":"*"')
    const dropped = body_ === text ? OTHER_EACH_TIME : [...OTHER_EACH_TIME, 'content-digest']
    const answer = { status, headers: linesOf(rawHeaders, dropped), body: body_ }
    told.push(answer)
    return answer
  }
  const post = (name: string, body: object, key?: string) =>
    call({ target: `/payments/${name}`, body, ...(key === undefined ? {} : { key }) })
  return {
    told,
    stop,
    simulator,
    call,
    post,
    token: () =>
      call({
        target: '/auth/token',
        contentType: 'application/x-www-form-urlencoded',
        body: tokenForm(kit, 'payments:process data:reports'),
      }),
    read: (id: string, what: 'status' | 'events') => call({ target: `/payments/${id}/${what}` }),
    code: async () => (await operator.shopper.createCode(kit.organizationId)).code,
    approve: (id: string) => operator.shopper.act(kit.organizationId, id, 'approve'),
    decline: (id: string) => operator.shopper.act(kit.organizationId, id, 'decline'),
    advance: (milliseconds: number) => operator.clock.advance(kit.organizationId, milliseconds),
    journal: () => operator.journal.latest(kit.organizationId, 500),
    iris: (order: string) => irisInitiateBody({ clientTransactionId: order }),
  }
}

export type RecordedRun = Awaited<ReturnType<typeof openRecordedRun>>

type Message = Awaited<ReturnType<typeof createSignedRawRequest>>

const exchange = async ({ port, pathname, search }: URL, message: Message, identity: ReturnType<typeof identityOf>) => {
  const { certificate: cert, privateKey: key } = identity
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method, headers, body } = message
    const path = pathname + search
    const options = { host: '127.0.0.1', port, path, method, headers: headers.flat(), cert, key, agent: false as const }
    httpsRequest({ ...options, rejectUnauthorized: false }, resolve)
      .on('error', reject)
      .end(body)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, text: Buffer.concat(chunks).toString() }
}

const linesOf = (rawHeaders: readonly string[], dropped: readonly string[]): string[] =>
  rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || dropped.includes(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[index + 1]}`],
  )
