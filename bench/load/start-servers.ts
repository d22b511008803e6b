import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { builtCommand } from './built-command.ts'
import { type Usage, usageOf } from './process-usage.ts'

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

/** The `MALLOC_…` variables of the container image: every measured server runs with them. */
const imageAllocator: NodeJS.ProcessEnv = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

/** The options of Node in the start command of the container image: Assay is measured with them. */
const imageNodeOptions: readonly string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]').filter(
  (word: string) => word.startsWith('--'),
)

export type Server = { pid: number; port: number; readyMs: number; usage(): Usage; stop(): Promise<void> }
export type AssayServer = Server & { pagesPort: number; plainPort: number | undefined }
/** A function that registers a server to be stopped when the measurement ends, also on failure. */
export type KeepServer = <Some extends Server>(server: Some) => Some

/** Limit until a server without a ready message responds. */
const PATIENCE_MS = 60_000
const LOOK_MS = 5

/** Starts `assay serve` as the container image does, on free ports, and waits until it prints that it is ready. */
export const startAssay = async (
  dataDir: string,
  more: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<AssayServer> => {
  const command = builtCommand()
  const options = ['--data-dir', dataDir, '--api-port', '0', '--pages-port', '0', ...more]
  const start = performance.now()
  const child = spawn(process.execPath, [...imageNodeOptions, command, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...imageAllocator, ...environment },
  })
  child.stderr.on('data', text => String(text).startsWith('Debugger ') || process.stderr.write(text)) // messages of the inspector
  const ports = await portsWhenReady(child.stdout)
  child.stdout.resume() // while the iterator above listens, this has no effect
  if (ports) return { ...running(child, ports.api, start), pagesPort: ports.pages, plainPort: ports.plain }
  child.kill()
  throw new Error('"assay serve" did not say that it is ready: start it by hand and read why.')
}

/** Reads the ports from the output, once it says that the server is ready. */
const portsWhenReady = async (output: Readable) => {
  let said = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk
    // The last line printed when it is ready, or with --log json the only one.
    if (!/^ +Kit .*\n|"msg":"ready"/m.test(said)) continue
    const portOf = (name: string) =>
      Number(new RegExp(`${name}(?: +|Url":")https?://[^/\\s"]*:(\\d+)`, 'i').exec(said)?.[1])
    return { api: portOf('API'), pages: portOf('Pages'), plain: portOf('Plain') || undefined }
  }
}

/** Starts a reference server as a child process that gets its settings and sends its port by message. */
export const startForked = async (file: string, settings: object): Promise<Server> => {
  const start = performance.now()
  const child = fork(join(import.meta.dirname, file), { env: { ...process.env, ...imageAllocator } })
  child.send(settings)
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`)))
  const [port] = await Promise.race([once(child, 'message'), ended])
  return running(child, port, start)
}

/** Starts a server by a command line and polls it until it responds. */
export const startCommand = async (
  [command = '', ...options]: readonly string[],
  { port, path, cwd }: { port: number; path: string; cwd: string },
): Promise<Server> => {
  const start = performance.now()
  const child = spawn(command, options, { cwd, stdio: 'ignore', env: { ...process.env, ...imageAllocator } })
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
  const answers = async () => {
    while (performance.now() - start < PATIENCE_MS && child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, POST).catch(() => undefined)
      if (answer?.ok) return running(child, port, start)
      await pause(LOOK_MS)
    }
    child.kill('SIGKILL')
    throw new Error(child.exitCode === null ? 'it did not respond within a minute' : `it ended with ${child.exitCode}`)
  }
  return Promise.race([failed, answers()])
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

const running = (child: ChildProcess, port: number, start: number): Server => {
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  const { pid = Number.NaN } = child
  return { pid, port, readyMs: performance.now() - start, stop, usage: () => usageOf(pid) }
}
