import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FloorSettings } from './floor.ts'

export type Server = { port: number; readyMs: number; memoryMb(): number; stop(): Promise<void> }

/** Starts Assay as people do, in a process of its own on free ports, and waits for the line that says ready. */
export async function startAssay(dataDir: string): Promise<Server> {
  const command = join(import.meta.dirname, '../bin/assay.js')
  const options = ['--data-dir', dataDir, '--api-port', '0', '--pages-port', '0']
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'serve', ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await portWhenReady(child.stdout)
  const readyMs = performance.now() - start
  if (port) return running(child, port, readyMs)
  child.kill()
  throw new Error('"assay serve" did not say that it is ready: start it by hand and read why.')
}

/** The port of the API, once the lines that tell it and that all is ready have both come. */
async function portWhenReady(output: Readable): Promise<number | undefined> {
  let said = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk
    const port = /API +https:\/\/localhost:(\d+)\n/.exec(said)?.[1]
    if (port && /\bready\b/.test(said)) {
      output.resume()
      return Number(port)
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

/** What the kernel counts as resident; NaN where there is no /proc. */
function residentMb(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
