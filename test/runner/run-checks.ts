import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { findChromium } from '../support/find-chromium.ts'

// Runs all checks of the project: biome, tsc, vitest. With arguments it runs only vitest with them: npm test -- blik

const CHECKS = [
  ['biome', 'check', '.'],
  ['node_modules/typescript-newest/bin/tsc', '--noEmit'],
  ['vitest', 'run'],
] as const

const root = join(import.meta.dirname, '../..')
const chosen = process.argv.slice(2)

process.exitCode = run()

/** Runs the checks in order up to the first that fails; returns its exit code. */
function run(): number {
  try {
    process.env.CHROMIUM_PATH = findChromium(step)
  } catch (error) {
    step((error as Error).message)
    return 1
  }
  for (const [command, ...args] of chosen.length > 0 ? CHECKS.slice(-1) : CHECKS) {
    step([command, ...args].join(' '))
    const code = start(command, command === 'vitest' ? [...args, ...chosen] : args)
    if (code !== 0) return code
  }
  return 0
}

function start(command: string, args: readonly string[]): number {
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } })
  return status ?? 1
}

function step(line: string): void {
  console.log(`— ${line}`)
}
