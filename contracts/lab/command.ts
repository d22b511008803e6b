import { parseArgs } from 'node:util'
import { CredentialsError } from '../client/credentials.ts'
import { nowSeconds, stopwatch } from '../client/real-time.ts'
import { ENCODINGS } from '../protocol/ecdsa-encoding.ts'
import { diagnose } from '../protocol/lab/diagnose.ts'
import { PROBLEMS, readBase, readRequest } from '../protocol/lab/read-request.ts'
import { type Report, reportOf } from '../protocol/lab/report.ts'
import type { LabRequest } from '../protocol/lab/request.ts'
import { READINGS } from '../protocol/signature-base.ts'
import { askControl } from './ask-control.ts'
import { HELP, OPTIONS } from './help.ts'
import { readKeys } from './keys.ts'
import { LabError } from './lab-error.ts'
import { readInput } from './read-input.ts'
import { painter, reportText } from './report-text.ts'

const EXIT = { verifies: 0, refused: 1, usage: 2 } as const

/** `assay lab`: what is wrong with a signed request (5.2); the exit code says whether it verifies. */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const { values, positionals } = readArguments(argv)
    if (values.help) {
      process.stdout.write(HELP)
      return 0
    }
    const report = await reported(values, positionals)
    process.stdout.write(
      values.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, painter(process.stdout)),
    )
    return EXIT[report.verdict]
  } catch (error) {
    if (!(error instanceof LabError || error instanceof CredentialsError)) throw error
    process.stderr.write(`${error.message}\n`)
    return EXIT.usage
  }
}

type Values = ReturnType<typeof readArguments>['values']

const readArguments = (argv: string[]) => {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new LabError(`${(error as Error).message.split('. ')[0]}: "assay lab --help" tells the options.`)
  }
}

const reported = async (values: Values, files: readonly string[]): Promise<Report> => {
  const [file, another] = files
  if (another !== undefined)
    throw new LabError(`One request at a time: give ${another} with --also, if one client made both.`)
  if (values.call !== undefined && values.control === undefined)
    throw new LabError('--call needs --control: name the simulator, such as --control http://localhost:8080.')
  if (values.call !== undefined && file !== undefined)
    throw new LabError('Give either a file or --call: both name the request to look at.')
  const base = values.base === undefined ? {} : { base: readInput(values.base) }
  if (values.control !== undefined) return askSimulator(values, file, base.base)
  return examine(values, requestIn(file ?? '-'), base)
}

const askSimulator = (values: Values, file: string | undefined, base: Buffer | undefined): Promise<Report> => {
  const { control = '', call, organization = 'demo-merchant' } = values
  return askControl(control, organization, {
    ...(call === undefined ? { request: readInput(file ?? '-').toString('utf8') } : { call }),
    ...(base === undefined ? {} : { base: base.toString('utf8') }),
  })
}

const examine = async (values: Values, request: LabRequest, { base }: { base?: Buffer }): Promise<Report> => {
  const { candidates, signers, names } = readKeys(values.kit, values.key ?? [])
  const seconds = secondsIn(values.seconds)
  const elapsed = stopwatch()
  const diagnosis = await diagnose({
    request,
    keys: candidates,
    dialect: dialectIn(values.strict ?? []),
    now: nowSeconds(),
    maxAge: 300,
    maxAhead: 60,
    budget: { verifications: Number.POSITIVE_INFINITY, isOver: () => elapsed() > seconds * 1000 },
    clientIds: names,
    companions: (values.also ?? []).map(requestIn),
    ...(base === undefined ? {} : { base: readBase(base) }),
    signerOf: keyId => signers.find(key => key.keyId === keyId) ?? signers[0],
  })
  return reportOf(diagnosis)
}

const requestIn = (path: string): LabRequest => {
  if (path === '-' && process.stdin.isTTY)
    throw new LabError('Name a file or pipe a request in: "assay lab --help" shows how.')
  const read = readRequest(readInput(path))
  if ('problem' in read) throw new LabError(PROBLEMS[read.problem])
  return read.request
}

/** One form of the dialect where one is wanted; either where nothing is said (C7). */
const dialectIn = (strict: readonly string[]) => {
  const unknown = strict.find(form => ![...READINGS, ...ENCODINGS].some(known => known === form))
  if (unknown !== undefined)
    throw new LabError(`--strict is ${JSON.stringify(unknown)}: give one of ${[...READINGS, ...ENCODINGS].join(', ')}.`)
  const readings = READINGS.filter(name => strict.includes(name))
  const encodings = ENCODINGS.filter(name => strict.includes(name))
  return {
    readings: readings.length > 0 ? readings : READINGS,
    encodings: encodings.length > 0 ? encodings : ENCODINGS,
  }
}

const secondsIn = (text = '10'): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new LabError(`--seconds is ${JSON.stringify(text)}: give a whole number, such as 10.`)
}
