import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { floorCertificate } from './certificate.ts'
import { certifyTable, measureCertify } from './certify.ts'
import { growthTable, measureGrowth, sizesOf } from './growth.ts'
import { readKit } from './kit.ts'
import { compare, tokenFor } from './load.ts'
import { type Measured, summarize, table } from './report.ts'
import { type Server, startAssay, startFloor } from './servers.ts'

// The first row warms up and is not shown. All calls of the full plan together are the 20,000 of the memory's figure.
const FULL = [
  { connections: 10, calls: 2000, rounds: 1 },
  { connections: 1, calls: 1000, rounds: 3 },
  { connections: 10, calls: 2500, rounds: 3 },
  { connections: 50, calls: 2500, rounds: 3 },
]
const QUICK = FULL.map(({ connections, calls }) => ({ connections, calls: calls / 10, rounds: 1 }))

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    growth: { type: 'boolean' },
    certify: { type: 'boolean' },
    million: { type: 'boolean' },
    json: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const running: Server[] = []

try {
  const [figures, text] = await figuresAsked()
  console.log(text)
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
} catch (error) {
  console.error(`The measurement stopped: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await Promise.all(running.map(server => server.stop()))
  rmSync(folder, { recursive: true })
}

async function figuresAsked() {
  if (options.certify) return certifyFigures()
  return options.growth ? growthFigures() : loadFigures()
}

async function certifyFigures() {
  const figures = await measureCertify(folder)
  return [figures, certifyTable(figures)] as const
}

async function loadFigures() {
  const figures = summarize(await measure(options.quick ? QUICK : FULL))
  return [figures, table(figures)] as const
}

async function growthFigures() {
  const growth = await measureGrowth(folder, sizesOf(options))
  return [growth, growthTable(growth)] as const
}

async function measure(plan: typeof FULL): Promise<Measured> {
  const first = await startAssay(folder)
  await first.stop()
  const assay = keep(await startAssay(folder))
  const memoryIdleMb = assay.memoryMb()
  const kit = readKit(folder)
  const token = await tokenFor(assay.port, kit)
  const own = await floorCertificate()
  const database = join(folder, 'floor.sqlite')
  const floor = keep(
    await startFloor({ ...own, clientAuthority: kit.ca, clientKey: kit.signingKeyText, token, database }),
  )

  const levels = []
  for (const row of plan) {
    const rounds = await compare(row, { assay, floor }, { ...kit, trusted: [kit.ca, own.authority] }, token)
    levels.push({ ...row, rounds })
  }
  return {
    firstReadyMs: first.readyMs,
    readyMs: assay.readyMs,
    memoryIdleMb,
    memoryLoadedMb: assay.memoryMb(),
    calls: plan.reduce((sum, { calls, rounds }) => sum + calls * rounds, 0),
    levels: levels.slice(1),
  }
}

function keep(server: Server): Server {
  running.push(server)
  return server
}
