import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { readKit } from '../../contracts/client/credentials.ts'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { residentMb } from '../load/process-usage.ts'
import { type AssayServer, startAssay } from '../load/start-servers.ts'
import { percentilesOf } from '../load/statistics.ts'
import { formatNumber, tableRow } from '../report/format-table-row.ts'
import { readScriptArguments, readScriptNumber, refuse } from '../report/read-script-arguments.ts'
import { type StrangerRequest, strangerRequests } from './stranger-requests.ts'

const HELP = `Tries every route as a stranger who may only connect, and prints the ten worst for an organization beside.

  npm run strangers [-- options]

  --connections N   connections at once (1)
  --only TEXT       routes whose name contains the text
  --all             print every route
`

/** Bytes of pipelined requests that a connection sends, and how long their effect is watched. */
const [FLOOD_BYTES, WATCH_MS] = [65_536, 1_500]
const PACE_MS = 5

const { values } = readScriptArguments({
  options: {
    connections: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
})

const count = readScriptNumber('--connections', values.connections)
const requests = strangerRequests().filter(({ name }) => name.includes(values.only))
if (requests.length === 0) refuse(`--only names "${values.only}": give a text that is in the name of a route.`)

type Effect = { name: string; cpuMsPerKiB: number; p99Ms: number; worstMs: number; grownMb: number }

/** Makes signed calls of an organization until it is told to end; returns how long each took. */
const watchCalls = (merchant: Merchant) => {
  const durations: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { durationMs, response } = await merchant.request('providers', { json: {} })
      if (response?.status !== 200) throw new Error(`a signed call got ${response?.status}`)
      durations.push(durationMs)
      await pause(PACE_MS)
    }
  })()
  return async (): Promise<number[]> => {
    isOver = true
    await watching
    return durations
  }
}

const open = async (assay: AssayServer, { port }: StrangerRequest): Promise<Socket> => {
  const socket =
    port === 'api'
      ? connectTls({ port: assay.port, host: 'localhost', rejectUnauthorized: false })
      : connectPlain(assay.pagesPort, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, port === 'api' ? 'secureConnect' : 'connect')
  return socket.resume()
}

const effectOf = async (assay: AssayServer, merchant: Merchant, request: StrangerRequest): Promise<Effect> => {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(assay, request)))
  await pause(100)
  const before = { mb: residentMb(assay.pid), cpuMs: assay.usage().cpuMs }
  let peak = before.mb
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(assay.pid))
  }, 20)
  const end = watchCalls(merchant)
  const flood = request.raw.repeat(Math.ceil(FLOOD_BYTES / request.raw.length))
  for (const socket of sockets) socket.write(flood)
  await pause(WATCH_MS)
  const durations = await end()
  clearInterval(sampling)
  const own = durations.length * OWN_CALL_CPU_MS
  const cpuMs = Math.max(0, assay.usage().cpuMs - before.cpuMs - own)
  for (const socket of sockets) socket.destroy()
  await pause(50)
  const { p99Ms } = percentilesOf(durations)
  const kib = (flood.length * count) / 1024
  return {
    name: request.name,
    cpuMsPerKiB: cpuMs / kib,
    p99Ms,
    worstMs: Math.max(...durations),
    grownMb: peak - before.mb,
  }
}

/** Processor time of one of the organization's own calls, which is not the stranger's. */
const OWN_CALL_CPU_MS = 1

const rowOf = ({ name, cpuMsPerKiB, p99Ms, worstMs, grownMb }: Effect): string =>
  tableRow(name.slice(0, 43), [
    [formatNumber(cpuMsPerKiB, 1), 10],
    [formatNumber(p99Ms), 9],
    [formatNumber(worstMs), 9],
    [formatNumber(grownMb), 8],
  ])

const measure = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-strangers-'))
  const assay = await startAssay(folder, [], { ASSAY_CONTROL_TOKEN: 'a-token-that-strangers-lack' })
  const merchant = createMerchant({ ...readKit(join(folder, 'kit/demo-merchant')) })
  try {
    for (let call = 0; call < 200; call += 1) await merchant.request('providers', { json: {} })
    const effects: Effect[] = []
    for (const request of requests) effects.push(await effectOf(assay, merchant, request))
    const worst = effects.toSorted((one, other) => other.cpuMsPerKiB - one.cpuMsPerKiB)
    const delays = effects.toSorted((one, other) => other.worstMs - one.worstMs)
    const shown = values.all ? effects.length : 10
    const head = tableRow('', [
      ['ms/KiB', 10],
      ['p99 ms', 9],
      ['worst', 9],
      ['MB', 8],
    ])
    process.stdout.write(
      `${effects.length} routes, ${values.connections} connections of ${FLOOD_BYTES / 1024} KiB each\n\n`,
    )
    process.stdout.write(`by processor time\n${head}\n${worst.slice(0, shown).map(rowOf).join('\n')}\n\n`)
    process.stdout.write(`by delay of a signed call\n${head}\n${delays.slice(0, shown).map(rowOf).join('\n')}\n`)
  } finally {
    merchant.close()
    await assay.stop()
    rmSync(folder, { recursive: true })
  }
}

if (values.help) process.stdout.write(HELP)
else await measure()
