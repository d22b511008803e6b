import { styleText } from 'node:util'
import { visible } from '../protocol/lab/compare.ts'
import type { Report } from '../protocol/lab/report.ts'

type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** Colours for a stream that shows them and a person who wants them (NO_COLOR). */
export const painter =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream })

/** A report for people: the sentence, the steps, the bases side by side, the right way. */
export const reportText = (report: Report, paint: Paint): string =>
  [
    paint(report.verdict === 'verifies' ? ['green', 'bold'] : ['red', 'bold'], report.summary),
    ...report.notes.map(({ sentence, cure }) => paint('yellow', `Note: ${sentence}: ${cure}.`)),
    ...(report.mended === undefined ? [] : [`Note: ${MENDED[report.mended]}`]),
    '',
    ...report.ladder.map(rung => rungText(rung, paint)),
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
const SIGNS = {
  ok:       ['green',  '✓'],
  fault:    ['red',    '✗'],
  note:     ['yellow', '!'],
  unjudged: ['dim',    '–'],
} as const satisfies Record<string, readonly [Style, string]>

const rungText = ({ step, state, findings, evidence }: Report['ladder'][number], paint: Paint): string => {
  const [style, sign] = SIGNS[state]
  const said = findings.map(({ sentence }) => sentence).join('; ')
  const told = said === '' ? (evidence ?? '') : said
  return `${paint(style, sign)} ${step.padEnd(11)}${told.length > 160 ? `${told.slice(0, 159)}…` : told}`.trimEnd()
}

const baseText = ({ base }: Report, paint: Paint): string[] => {
  const { rows, difference, source } = base
  if (source === undefined)
    return ['Expected base:', ...rows.map(({ expected = '' }) => `    ${visible(expected)}`), '']
  if (!difference)
    return [
      'The base that was signed is the expected one:',
      ...rows.map(({ expected = '' }) => `    ${visible(expected)}`),
      '',
    ]
  const title = source === 'given' ? 'your base' : 'what was signed'
  const lines = rows.flatMap(({ expected, signed, at }) => {
    if (expected === signed) return [`    ${visible(expected ?? '')}`]
    return [
      ...(expected === undefined ? [] : [paint('green', `  - ${visible(expected)}`)]),
      ...(signed === undefined ? [] : [paint('red', `  + ${visible(signed)}`)]),
      ...(at === undefined ? [] : [`    ${' '.repeat(visible((signed ?? '').slice(0, at)).length)}^`]),
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

const keyText = ({ key }: Report): string[] => {
  if (!key) return []
  const name = key.name === undefined || key.use === 'unregistered' ? '' : ` ${key.name}`
  const pem = key.use === 'unregistered' ? `:\n${key.publicKey}` : ''
  return [`Signed with ${USES[key.use]}${name} (${key.algorithm})${pem}`]
}

const searchText = ({ search, verdict }: Report): string[] =>
  verdict === 'verifies' || search.verifications === 0
    ? []
    : [
        `${search.verifications} verifications${search.isExhausted ? '' : '; the search was ended before everything was tried'}.`,
      ]

const correctText = ({ correct, verdict }: Report, paint: Paint): string[] => {
  if (verdict === 'verifies') return []
  const headers = Object.entries(correct.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const made = headers.length === 0 ? [] : ['', 'Headers made right just now:', ...headers]
  return [
    paint('bold', `Done right, with keyid ${correct.keyId}:`),
    correct.openssl,
    ...made,
    ...(correct.curl === undefined ? [] : ['', 'The same as a call:', correct.curl]),
  ]
}
