import { get } from 'node:http'
import { parseArgs } from 'node:util'

export const HELP = `Asks the simulator on this machine whether it is well.

  assay health [options]

  --pages-port PORT  where the pages are (default: ASSAY_PAGES_PORT, else 8080)
  --help             this text

Exit codes: 0 it is well, 1 it is not, or nobody answers, 2 wrong options.
`

/** Asks the running simulator for its health. Loads no dependency: containers ask every few seconds. */
export async function main(argv: string[]): Promise<number> {
  const options = read(argv)
  if (typeof options === 'string') return tell(options, 2)
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const simulator = `http://127.0.0.1:${options.port}`
  const answer = await ask(`${simulator}/health`)
  if (answer !== 200) return tell(`${simulator}/health ${answer}: is "assay serve" running on that port?`, 1)
  process.stdout.write(`The simulator at ${simulator} is well.\n`)
  return 0
}

function read(argv: string[]): { port: number; help: boolean } | string {
  try {
    const options = { 'pages-port': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args: argv, options })
    const port = Number(values['pages-port'] ?? process.env.ASSAY_PAGES_PORT ?? 8080)
    if (Number.isInteger(port) && port > 0 && port < 65_536) return { port, help: values.help ?? false }
    return 'The port of the pages must be a number from 1 to 65535: give the one that "assay serve" printed.'
  } catch (error) {
    return `${(error as Error).message.split('. ')[0]}: "assay health --help" tells the options.`
  }
}

function ask(address: string): Promise<number | string> {
  return new Promise(resolve => {
    const request = get(address, { timeout: 2000 }, response => {
      response.resume()
      resolve(response.statusCode === 200 ? 200 : `answers ${response.statusCode}`)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within two seconds')))
    request.on('error', error => resolve(`cannot be reached (${error.message})`))
  })
}

function tell(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`)
  return code
}
