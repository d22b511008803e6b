import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { residentMb } from '../load/process-usage.ts'
import { startAssay } from '../load/start-servers.ts'

/** Figures of a whole `assay certify` run against Assay: duration in seconds, peak memory in MB, and their limits. */
export type CertifyFigures = { checks: number; seconds: number; memoryMb: number; limits: typeof LIMITS }

/** Limits of a run on two cores. */
const LIMITS = { seconds: 10, memoryMb: 200 }
const LOOK_MS = 20

/** Runs `assay certify` as a command and measures it, its start included. */
export async function measureCertify(folder: string): Promise<CertifyFigures> {
  const assay = await startAssay(folder)
  try {
    const root = join(import.meta.dirname, '../..')
    const target = ['--base-url', `https://localhost:${assay.port}`, '--control', `http://localhost:${assay.pagesPort}`]
    const profile = [
      '--profile',
      join(root, 'contracts/profiles/simulator.yaml'),
      '--kit',
      join(folder, 'kit/demo-merchant'),
    ]
    const start = performance.now()
    const child = spawn(
      process.execPath,
      [join(root, 'bin/assay.js'), 'certify', 'run', ...profile, ...target, '--json'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let memoryMb = 0
    const looking = setInterval(() => {
      memoryMb = Math.max(memoryMb, residentMb(child.pid, 'VmHWM') || 0)
    }, LOOK_MS)
    let said = ''
    child.stdout.on('data', text => (said += text))
    const [code] = await once(child, 'close')
    clearInterval(looking)
    if (code !== 0) throw new Error(`"assay certify" ended with ${code}: run it by hand and read why.`)
    const { checks } = JSON.parse(said) as { checks: unknown[] }
    return { checks: checks.length, seconds: (performance.now() - start) / 1000, memoryMb, limits: LIMITS }
  } finally {
    await assay.stop()
  }
}

export const certifyTable = ({ checks, seconds, memoryMb, limits }: CertifyFigures): string =>
  [
    row(`certify, full plan of ${checks} checks`, seconds.toFixed(1), `s   (limit ${limits.seconds})`),
    row('memory of certify at its most', memoryMb.toFixed(0), `MB  (limit ${limits.memoryMb})`),
  ].join('\n')

const row = (what: string, value: string, unit: string): string => `${what.padEnd(36)}${value.padStart(8)} ${unit}`
