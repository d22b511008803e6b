import { styleText } from 'node:util'
import { showInvisible } from '../protocol/signature-lab/compare-signature-bases.ts'
import type { DiagnosisReport } from '../protocol/signature-lab/diagnosis-report.ts'
import { visibleLine, visibleText } from '../protocol/visible-text.ts'

type Style = Parameters<typeof styleText>[0]
type DiagnosisPaint = (style: Style, text: string) => string

/** Creates a text styler for a stream; without colours where it is no terminal or NO_COLOR is set. */
export const createDiagnosisPaint =
  (stream: NodeJS.WriteStream): DiagnosisPaint =>
  (style, text) =>
    styleText(style, visibleText(text), { stream })

/** Formats a diagnosis report as text: summary, steps, bases side by side, the correct request. */
export const toDiagnosisText = (report: DiagnosisReport, paint: DiagnosisPaint): string =>
  [
    paint(report.verdict === 'verifies' ? ['green', 'bold'] : ['red', 'bold'], report.summary),
    ...report.notes.map(({ sentence, cure }) => paint('yellow', `Note: ${sentence}: ${cure}.`)),
    ...(report.mended === undefined ? [] : [`Note: ${MENDED[report.mended]}`]),
    '',
    ...report.verificationSteps.map(step => stepText(step, paint)),
    '',
    ...baseText(report, paint),
    ...keyText(report),
    ...searchText(report),
    '',
    ...correctText(report, paint),
    '',
  ].join('\n')

const MENDED = {
  'line-ends': 'The line ends of the pasted body were put right, to fit Content-Length.',
  'last-newline': 'A line end after the pasted body was left out, to fit Content-Length.',
} as const

// biome-ignore format: a table reads by its columns
const STEP_SYMBOLS = {
  ok:       ['green',  '✓'],
  fault:    ['red',    '✗'],
  note:     ['yellow', '!'],
  unjudged: ['dim',    '–'],
} as const satisfies Record<string, readonly [Style, string]>

const stepText = (
  { step, state, findings, evidence }: DiagnosisReport['verificationSteps'][number],
  paint: DiagnosisPaint,
): string => {
  const [style, sign] = STEP_SYMBOLS[state]
  const said = findings.map(({ sentence }) => sentence).join('; ')
  const shown = said === '' ? (evidence ?? '') : said
  return `${paint(style, sign)} ${step.padEnd(11)}${visibleLine(shown.length > 160 ? `${shown.slice(0, 159)}…` : shown)}`.trimEnd()
}

/** A line of a signature base, its blanks and line ends shown by signs. */
const shownLine = (line: string): string => visibleText(showInvisible(line))

const baseText = ({ base }: DiagnosisReport, paint: DiagnosisPaint): string[] => {
  const { rows, difference, source } = base
  if (source === undefined)
    return ['Expected base:', ...rows.map(({ expected = '' }) => `    ${shownLine(expected)}`), '']
  if (!difference)
    return [
      'The base that was signed is the expected one:',
      ...rows.map(({ expected = '' }) => `    ${shownLine(expected)}`),
      '',
    ]
  const title = source === 'given' ? 'your base' : 'what was signed'
  const lines = rows.flatMap(({ expected, signed, at }) => {
    if (expected === signed) return [`    ${shownLine(expected ?? '')}`]
    return [
      ...(expected === undefined ? [] : [paint('green', `  - ${shownLine(expected)}`)]),
      ...(signed === undefined ? [] : [paint('red', `  + ${shownLine(signed)}`)]),
      ...(at === undefined ? [] : [`    ${' '.repeat(shownLine((signed ?? '').slice(0, at)).length)}^`]),
    ]
  })
  const { line, column, byte } = difference
  return [
    `Expected base (-) and ${title} (+), first difference in line ${line}, character ${column} (byte ${byte}):`,
    ...lines,
    '',
  ]
}

const USES = {
  signing: 'the signing key',
  certificate: "the client certificate's key",
  unregistered: 'an unregistered key',
} as const

const keyText = ({ key }: DiagnosisReport): string[] => {
  if (!key) return []
  const name = key.name === undefined || key.use === 'unregistered' ? '' : ` ${key.name}`
  const pem = key.use === 'unregistered' ? `:\n${key.publicKey}` : ''
  return [visibleText(`Signed with ${USES[key.use]}${name} (${key.algorithm})${pem}`)]
}

const searchText = ({ search, verdict }: DiagnosisReport): string[] =>
  verdict === 'verifies' || search.verifications === 0
    ? []
    : [
        `${search.verifications} verifications${search.isExhausted ? '' : '; the search was ended before everything was tried'}.`,
      ]

const correctText = ({ correct, verdict }: DiagnosisReport, paint: DiagnosisPaint): string[] => {
  if (verdict === 'verifies') return []
  const headers = Object.entries(correct.headers ?? {}).map(([name, value]) => visibleLine(`${name}: ${value}`))
  const made = headers.length === 0 ? [] : ['', 'Headers made right just now:', ...headers]
  return [
    paint('bold', `Done right, with keyid ${correct.keyId}:`),
    visibleText(correct.openssl),
    ...made,
    ...(correct.curl === undefined ? [] : ['', 'The same as a call:', visibleText(correct.curl)]),
  ]
}
