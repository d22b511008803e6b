import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  readScriptAmount,
  readScriptArguments,
  readScriptNames,
  readScriptNumber,
} from '../../bench/report/read-script-arguments.ts'
import type { Progress } from './fuzz-target-process.ts'
import { FUZZ_TARGETS } from './targets/all-targets.ts'

const HELP = `Sends nonsense to everything that takes what strangers send, each part in a process of its own.

  npm run fuzz -- [options]

  --minutes N    for all parts together (default: 2)
  --seed S       where to begin (default: the time); a find names the seed that repeats it
  --only PARTS   some of them: --only json,keys
  --guided       build on inputs that reach code which none has reached before; for parsers alone
  --list         name the parts
  --help         this text

A find is any answer that no fault explains, a crash, a hang, a slow input, a rejection that nobody handles, or a heap that grows.
Exit codes: 0 none, 1 a find, 2 wrong options.
`

/** Milliseconds without progress after which a target counts as hanging. */
const SILENCE = 150_000
const FINDS = join(import.meta.dirname, '../../.assay/fuzz')

const { values } = readScriptArguments({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    guided: { type: 'boolean', default: false },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

process.exitCode = await run()

async function run(): Promise<number> {
  if (values.help) return print(HELP)
  if (values.list) return print(`${FUZZ_TARGETS.map(({ name, sends }) => `${name.padEnd(10)} ${sends}`).join('\n')}\n`)
  const able = FUZZ_TARGETS.filter(({ guided }) => guided || !values.guided).map(({ name }) => name)
  const names = values.only === undefined ? able : readScriptNames('--only', values.only, able)
  const minutes = values.minutes === '0' ? 0 : readScriptAmount('--minutes', values.minutes)
  readScriptNumber('--seed', values.seed, 0)
  mkdirSync(FINDS, { recursive: true })
  print(
    `seed ${values.seed}${values.guided ? ', guided by coverage' : ''}\n${row('part', 'inputs', 'a second', 'reached', 'heap MB', '')}`,
  )
  let finds = 0
  for (const name of names) finds += (await tried(name, (minutes * 60) / names.length)) ? 1 : 0
  return finds > 0 ? 1 : 0
}

/** Runs one fuzz target, prints its result, and returns whether it failed. */
async function tried(name: string, seconds: number): Promise<boolean> {
  const began = performance.now()
  const lastFile = join(FINDS, `${name}-last.json`)
  const argv = [
    join(import.meta.dirname, 'fuzz-target-process.ts'),
    name,
    values.seed,
    String(seconds),
    values.guided ? 'guided' : 'random',
    lastFile,
  ]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  let progress: Progress = { tries: 0, heap: 0, grown: 0, share: 0 }
  let complaint = ''
  let isSilent = false
  const silence = setTimeout(() => {
    isSilent = true
    child.kill('SIGKILL')
  }, SILENCE)
  child.stderr.on('data', chunk => {
    complaint = (complaint + chunk).slice(-4_000)
  })
  createInterface({ input: child.stdout }).on('line', line => {
    progress = JSON.parse(line) as Progress
    silence.refresh()
  })
  const code = await new Promise(resolve => child.on('close', resolve))
  clearTimeout(silence)
  const died = isSilent ? 'it hangs' : `it ended with ${code}: ${complaint.trim()}`
  const find =
    progress.find ??
    (code === 0 ? undefined : { part: name, seed: Number(values.seed), broke: died, input: lastInput(lastFile) })
  const rate = progress.tries / ((performance.now() - began) / 1000)
  const { heap, grown, share } = progress
  print(
    row(
      name,
      progress.tries,
      rate.toFixed(0),
      `${(share * 100).toFixed(0)} %`,
      `${heap.toFixed(0)} (${grown >= 0 ? '+' : ''}${grown.toFixed(0)})`,
      find ? 'FIND' : 'ok',
    ),
  )
  if (find) tell(find)
  return find !== undefined
}

function tell({ part, seed, broke, input }: NonNullable<Progress['find']>): void {
  const file = join(FINDS, `${part}-${seed}.json`)
  writeFileSync(file, `${JSON.stringify({ part, broke, input }, null, 2)}\n`)
  const shown = JSON.stringify(input)
  print(`
  ${broke}
  input   ${shown.length > 2_000 ? `${shown.slice(0, 2_000)}…` : shown}
  repeat  npm run fuzz -- --only ${part} --seed ${seed} --minutes ${values.guided ? `${values.minutes} --guided` : 0}
  keep    ${file} as test/fuzz/corpus/NAME.json: it is a test from then on

`)
}

function lastInput(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function row(name: string, tries: string | number, rate: string, reached: string, heap: string, end: string): string {
  return `${name.padEnd(10)} ${String(tries).padStart(8)} ${rate.padStart(9)} ${reached.padStart(8)} ${heap.padStart(11)}  ${end}\n`
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
