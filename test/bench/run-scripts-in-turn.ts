import { readFileSync } from 'node:fs'

// Runs npm scripts one after another in this process, each until it refuses its arguments: one start for all of them.
// Reads a JSON list of file and arguments on stdin; prints a JSON list of exit code and output.

type Run = { file: string; argv: string[] }
type Refused = { status: number; stdout: string; stderr: string }

const runs = JSON.parse(readFileSync(0, 'utf8')) as Run[]
const refused: Refused[] = []
const told = { stdout: '', stderr: '' }
const write = (name: keyof typeof told) => (text: unknown) => {
  told[name] += String(text)
  return true
}
const [log, error] = [write('stdout'), write('stderr')]
console.log = text => void log(`${text}\n`)
console.error = text => void error(`${text}\n`)
process.exit = code => {
  throw Object.assign(new Error('refused'), { code })
}

for (const [place, { file, argv }] of runs.entries()) {
  Object.assign(told, { stdout: '', stderr: '' })
  process.argv = [process.execPath, file, ...argv]
  const status = await import(`${file}?${place}`).then(
    () => 0,
    ({ code }) => code,
  )
  refused.push({ status, ...told })
}
process.stdout.write(JSON.stringify(refused))
