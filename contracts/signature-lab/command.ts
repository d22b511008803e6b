import { CredentialsError } from '../client/credentials.ts'
import { findSandboxAddress, noSandboxNamedSentence } from '../client/sandbox-address.ts'
import { nowSeconds, stopwatch } from '../client/wall-clock.ts'
import { SIGNATURE_ENCODINGS } from '../protocol/ecdsa-encoding.ts'
import { parseArguments } from '../protocol/parse-arguments.ts'
import { BASE_READINGS } from '../protocol/signature-base.ts'
import { diagnoseRequest } from '../protocol/signature-lab/diagnose-request.ts'
import { type DiagnosisReport, toDiagnosisReport } from '../protocol/signature-lab/diagnosis-report.ts'
import type { LabRequest } from '../protocol/signature-lab/lab-request.ts'
import { PASTE_PROBLEMS, readBase, readRequest } from '../protocol/signature-lab/read-pasted-request.ts'
import { visibleJson, visibleText } from '../protocol/visible-text.ts'
import { diagnoseByControl } from './diagnose-through-simulator.ts'
import { createDiagnosisPaint, toDiagnosisText } from './diagnosis-text.ts'
import { LAB_HELP, LAB_OPTIONS } from './lab-help-and-options.ts'
import { LabUsageError, readFileOrStdin, readLabKeys } from './read-lab-keys.ts'

const EXIT = { verifies: 0, refused: 1, usage: 2 } as const

/** Runs `assay lab`, which diagnoses a signed request (5.2). Exit code 0 if it verifies, 1 if not, 2 for misuse. */
export const main = async (argv: string[]): Promise<number> => {
  try {
    const { values, positionals } = readArguments(argv)
    if (values.help) {
      process.stdout.write(LAB_HELP)
      return 0
    }
    const report = await createReport(values, positionals)
    process.stdout.write(
      values.json
        ? visibleJson(`${JSON.stringify(report, null, 2)}\n`)
        : toDiagnosisText(report, createDiagnosisPaint(process.stdout)),
    )
    return EXIT[report.verdict]
  } catch (error) {
    if (!(error instanceof LabUsageError || error instanceof CredentialsError)) throw error
    process.stderr.write(`${visibleText(error.message)}\n`)
    return EXIT.usage
  }
}

type Values = ReturnType<typeof readArguments>['values']

const readArguments = (argv: string[]) =>
  parseArguments('lab', { args: argv, options: LAB_OPTIONS, allowPositionals: true }, LabUsageError)

const createReport = async (values: Values, files: readonly string[]): Promise<DiagnosisReport> => {
  const [file, another] = files
  if (another !== undefined)
    throw new LabUsageError(`One request at a time: give ${another} with --also, if one client made both.`)
  if (values.call !== undefined && file !== undefined)
    throw new LabUsageError('Give either a file or --call: both name the request to look at.')
  refuseUnusedOptions(values)
  if ([values.call === undefined ? (file ?? '-') : '', values.base, ...(values.also ?? [])].filter(isStdin).length > 1)
    throw new LabUsageError('Stdin is one file: give a name for the request, --base or --also.')
  const base = values.base === undefined ? {} : { base: readFileOrStdin(values.base) }
  if (asksSimulator(values)) return diagnoseBySimulator(values, file, base.base)
  return diagnoseLocally(values, requestIn(file ?? '-'), base)
}

const isStdin = (path: string | undefined): boolean => path === '-'

const asksSimulator = ({ control, call }: Values): boolean => (control ?? call) !== undefined

/** The options that only a diagnosis on this machine uses; a simulator has its own keys, forms and time limit. */
const OF_THIS_MACHINE = ['kit', 'key', 'also', 'strict', 'seconds'] as const

const refuseUnusedOptions = (values: Values): void => {
  if (!asksSimulator(values)) {
    if (values.organization === undefined) return
    throw new LabUsageError('--organization is for a diagnosis by a simulator: give --control URL too.')
  }
  const unused = OF_THIS_MACHINE.filter(name => values[name] !== undefined).map(name => `--${name}`)
  if (unused.length === 0) return
  throw new LabUsageError(`A simulator diagnoses by its own keys and settings: leave out ${unused.join(', ')}.`)
}

const diagnoseBySimulator = (
  values: Values,
  file: string | undefined,
  base: Buffer | undefined,
): Promise<DiagnosisReport> => {
  const { control, call, organization = 'demo-merchant' } = values
  const simulator = control === undefined ? findSandboxAddress(process.env) : { url: control }
  if (!simulator) throw new LabUsageError(noSandboxNamedSentence(process.env))
  return diagnoseByControl(simulator, organization, {
    ...(call === undefined ? { request: readFileOrStdin(file ?? '-').toString('utf8') } : { call }),
    ...(base === undefined ? {} : { base: base.toString('utf8') }),
  })
}

const diagnoseLocally = async (
  values: Values,
  request: LabRequest,
  { base }: { base?: Buffer },
): Promise<DiagnosisReport> => {
  const { candidates, signers, names } = readLabKeys(values.kit, values.key ?? [])
  const seconds = secondsIn(values.seconds)
  const elapsed = stopwatch()
  const diagnosis = await diagnoseRequest({
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
  return toDiagnosisReport(diagnosis)
}

const requestIn = (path: string): LabRequest => {
  if (path === '-' && process.stdin.isTTY)
    throw new LabUsageError('Name a file or pipe a request in: "assay lab --help" shows how.')
  const read = readRequest(readFileOrStdin(path))
  if ('problem' in read) throw new LabUsageError(PASTE_PROBLEMS[read.problem])
  return read.request
}

/** Returns the signature dialect of --strict: one form where it is named, else either (C7). */
const dialectIn = (strict: readonly string[]) => {
  const unknown = strict.find(form => ![...BASE_READINGS, ...SIGNATURE_ENCODINGS].some(known => known === form))
  if (unknown !== undefined)
    throw new LabUsageError(
      `--strict is ${JSON.stringify(unknown)}: give one of ${[...BASE_READINGS, ...SIGNATURE_ENCODINGS].join(', ')}.`,
    )
  const readings = BASE_READINGS.filter(name => strict.includes(name))
  const encodings = SIGNATURE_ENCODINGS.filter(name => strict.includes(name))
  return {
    readings: readings.length > 0 ? readings : BASE_READINGS,
    encodings: encodings.length > 0 ? encodings : SIGNATURE_ENCODINGS,
  }
}

const secondsIn = (text = '10'): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new LabUsageError(`--seconds is ${JSON.stringify(text)}: give a whole number from 0 to 9999, such as 10.`)
}
