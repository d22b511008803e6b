import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FloorSettings } from './floor.ts'

export type Server = { port: number; pagesPort?: number; readyMs: number; memoryMb(): number; stop(): Promise<void> }

/** Starts Assay as people do, in a process of its own on free ports, and waits for the line that says ready. */
export async function startAssay(dataDir: string): Promise<Server> {
  const command = join(import.meta.dirname, '../bin/assay.js')
  const options = ['--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'serve', ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ports = await portsWhenReady(child.stdout)
  const readyMs = performance.now() - start
  if (ports) return { ...running(child, ports.api, readyMs), pagesPort: ports.pages }
  child.kill()
  throw new Error('"assay serve" did not say that it is ready: start it by hand and read why.')
}

/** The ports, once the lines that tell them and that all is ready have come. */
async function portsWhenReady(output: Readable): Promise<{ api: number; pages: number } | undefined> {
  let said = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk
    const [, api] = /API +https:\/\/localhost:(\d+)\n/.exec(said) ?? []
    const [, pages] = /Pages +http:\/\/localhost:(\d+)\n/.exec(said) ?? []
    if (api && pages && /\bready\b/.test(said)) {
      output.resume()
      return { api: Number(api), pages: Number(pages) }
    }
  }
}

/** Starts the bare server with what it must trust. */
export async function startFloor(settings: FloorSettings): Promise<Server> {
  const start = performance.now()
  const child = fork(join(import.meta.dirname, 'floor.ts'))
  child.send(settings)
  const [port] = await once(child, 'message')
  return running(child, port, performance.now() - start)
}

function running(child: ChildProcess, port: number, readyMs: number): Server {
  const stop = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  return { port, readyMs, stop, memoryMb: () => residentMb(child.pid) }
}

/** What the kernel counts as resident, now (VmRSS) or at its most (VmHWM); NaN where there is no /proc. */
export function residentMb(pid: number | undefined, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(lines)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
