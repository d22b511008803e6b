import { get } from 'node:http'
import { parseArgs } from 'node:util'

export const HELP = `Checks whether the simulator on this machine is healthy.

  assay health [options]

  --pages-port PORT  port of the pages (default: ASSAY_PAGES_PORT, else 8080)
  --help             this text

Exit codes: 0 healthy, 1 not healthy or no response, 2 invalid options.
`

/** `assay health`: calls GET /health of a running simulator. Loads no dependency, as container probes run it often. */
export async function main(argv: string[]): Promise<number> {
  const options = readOptions(argv)
  if (typeof options === 'string') return fail(options, 2)
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  const simulator = `http://127.0.0.1:${options.port}`
  const status = await requestStatus(`${simulator}/health`)
  if (status !== 200) return fail(`${simulator}/health ${status}: is "assay serve" running on that port?`, 1)
  process.stdout.write(`The simulator at ${simulator} is healthy.\n`)
  return 0
}

function readOptions(argv: string[]): { port: number; help: boolean } | string {
  try {
    const options = { 'pages-port': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args: argv, options })
    const port = Number(values['pages-port'] ?? process.env.ASSAY_PAGES_PORT ?? 8080)
    if (Number.isInteger(port) && port > 0 && port < 65_536) return { port, help: values.help ?? false }
    return 'The port of the pages must be a number from 1 to 65535: give the one that "assay serve" printed.'
  } catch (error) {
    return `${(error as Error).message.split('. ')[0]}: "assay health --help" lists the options.`
  }
}

/** Requests an address; resolves with 200, or with a clause that says what came instead. */
function requestStatus(address: string): Promise<number | string> {
  return new Promise(resolve => {
    const request = get(address, { timeout: 2000 }, response => {
      response.resume()
      resolve(response.statusCode === 200 ? 200 : `answers ${response.statusCode}`)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within two seconds')))
    request.on('error', error => resolve(`cannot be reached (${error.message})`))
  })
}

function fail(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`)
  return code
}
