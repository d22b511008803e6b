import { existsSync } from 'node:fs'
import { get } from 'node:http'
import { parseArgs } from 'node:util'
import { readHealthUrl } from '../../contracts/client/sandbox-address.ts'
import { wrongArgumentsSentence } from '../../contracts/protocol/parse-arguments.ts'
import { shellWord } from '../../contracts/protocol/shell-word.ts'
import { isServiceLink } from '../options/service-link.ts'

export const HELP = `Checks whether the simulator on this machine is healthy.

  assay health [options]

  --data-dir DIR     folder of the simulator, which says in it where it listens (default: ASSAY_DATA_DIR, else .assay)
  --pages-port PORT  port of the pages instead (default, where no folder is named and there is no .assay:
                     ASSAY_PAGES_PORT, else 8080)
  --help             this text

Exit codes: 0 healthy, 1 not healthy or no response, 2 invalid options.
`

/**
 * Runs `assay health`: calls GET /health of a running simulator. Loads no dependency, as container probes run it often.
 */
export async function main(argv: string[]): Promise<number> {
  const options = readOptions(argv)
  if (typeof options === 'string') return fail(options, 2)
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (options.url === undefined) {
    const { dataDir } = options
    return fail(
      `No sandbox runs in ${dataDir}: start one with "assay serve --data-dir ${shellWord(dataDir)}", or name the folder of one that runs.`,
      1,
    )
  }
  const status = await requestStatus(options.url)
  if (status !== 200)
    return fail(
      `${options.url} ${status}: is "assay serve" running there? Else name its --data-dir or --pages-port.`,
      1,
    )
  process.stdout.write(`The simulator at ${options.url.replace(/\/health$/, '')} is healthy.\n`)
  return 0
}

type Options = { help: boolean } & ({ url: string } | { url: undefined; dataDir: string })

/** Reads the options; `url` is undefined where no sandbox runs in the folder that was named, and a string is a refusal. */
function readOptions(argv: string[]): Options | string {
  try {
    const text = { type: 'string' } as const
    const options = { 'pages-port': text, 'data-dir': text, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args: argv, options })
    const help = values.help ?? false
    if (values['pages-port'] === undefined) {
      const named = values['data-dir'] || process.env.ASSAY_DATA_DIR
      const dataDir = named || '.assay'
      const url = readHealthUrl(dataDir)
      if (url !== undefined) return { url, help }
      if (named || existsSync(dataDir)) return { url, dataDir, help }
    }
    const { ASSAY_PAGES_PORT } = process.env
    const usual = isServiceLink('ASSAY_PAGES_PORT', ASSAY_PAGES_PORT) ? 8080 : ASSAY_PAGES_PORT || 8080
    const port = Number(values['pages-port'] ?? usual)
    if (!(Number.isInteger(port) && port > 0 && port < 65_536))
      return 'The port of the pages must be a number from 1 to 65535: give the one that "assay serve" printed.'
    return { url: `http://127.0.0.1:${port}/health`, help }
  } catch (error) {
    return wrongArgumentsSentence(error, 'health')
  }
}

/** Requests an address; resolves with 200, or with a clause that says what came instead. */
function requestStatus(address: string): Promise<number | string> {
  return new Promise(resolve => {
    // An agent of its own: the common one may lead to a proxy of the environment, which is elsewhere.
    const request = get(address, { timeout: 2000, agent: false }, response => {
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
