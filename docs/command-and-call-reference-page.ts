import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { SUBCOMMANDS } from '../contracts/certify-command.ts'
import { CERTIFY_OPTIONS } from '../contracts/commands/subcommand.ts'
import { HELP as DIALECT, DIALECT_SUBCOMMANDS } from '../contracts/dialect-commands/command.ts'
import { OPERATION_NAMES, OPERATIONS } from '../contracts/operations.ts'
import { LAB_HELP as LAB } from '../contracts/signature-lab/lab-help-and-options.ts'
import { HELP as DRILL } from '../fixtures/drill/arguments.ts'
import { HELP as KIT } from '../fixtures/kit/command.ts'
import { HELP as LISTEN } from '../fixtures/listen/command.ts'
import { HELP as SEED } from '../fixtures/seed/command.ts'
import { HELP as SCENARIOS } from '../simulator/commands/check-scenario-files.ts'
import { HELP as HEALTH } from '../simulator/commands/health.ts'
import { OPTIONS, toEnvironmentName } from '../simulator/options/options.ts'
import { code, table } from './markdown.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

type Call = { operationId: string; summary: string; tags: readonly string[] }
type Description = {
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Partial<Record<(typeof METHODS)[number], Call>>>>
}

/** Subcommands of `assay certify`, each loaded with its help, usage and options. */
const certifySubcommands = await Promise.all(
  Object.entries(SUBCOMMANDS).map(async ([name, { help, load }]) => ({ name, help, ...(await load()).subcommand })),
)

/** Returns the text of docs/reference.md: options, commands and calls. */
export const referencePage = (): string => `# Reference

## Options of \`assay serve\`

Each is a flag (\`--api-port 0\`), an environment variable (\`ASSAY_API_PORT=0\`) and an entry of the file given by
\`--config\` (\`api-port: 0\`). Flags take precedence over the environment, the environment over the file. Durations are ISO 8601, in days, hours, minutes and seconds.

\`startSimulator\` of the package takes the same options [in a program](test-my-shop.md#without-a-browser), and reads neither environment nor file:
names in camel case (\`apiPort: 0\`), durations as numbers of milliseconds (\`settleAfter: 2_000\`), \`PORT\` and \`N\` as numbers, and lists as
arrays (\`layers: ['token']\`). Its defaults differ in three: free ports, and as \`dataDir\` a temporary folder.

${table(['Option', 'Variable', 'Value', 'Default', 'Meaning'], Object.entries(OPTIONS).map(optionRow))}

## \`assay certify\`

${table(
  ['Command', 'What it does', 'Options'],
  certifySubcommands.map(({ usage, help, options: takes }) => [
    code(`assay certify ${cell(usage)}`),
    help,
    takes.map(name => code(`--${name}`)).join(' '),
  ]),
)}

${table(['Option', 'Meaning'], Object.entries(CERTIFY_OPTIONS).map(certifyRow))}

[certify.md](certify.md) explains how they work together.

## \`assay dialect\`

${text(DIALECT)}

${table(
  ['Command', 'What it does'],
  Object.values(DIALECT_SUBCOMMANDS).map(({ usage, help }) => [code(`assay dialect ${cell(usage)}`), help]),
)}

## \`assay lab\`

${text(LAB)}

## \`assay kit\`

${text(KIT)}

## \`assay listen\`

${text(LISTEN)}

## \`assay scenarios\`

${text(SCENARIOS)}

## \`assay seed\`

${text(SEED)}

## \`assay drill\`

${text(DRILL)}

## \`assay health\`

${text(HEALTH)}

## Calls of control

On the port of the pages, with JSON requests and responses. \`GET /control/openapi.yaml\` describes every member.

${controlTables()}

## Calls of the API

Behind the three security layers, on the API port. [\`openapi.yaml\`](../contracts/openapi.yaml) describes every member;
\`${OPERATIONS.mockSet.path}\` exists in a sandbox only.

${operationsTable()}
`

const cell = (words: string): string => words.replaceAll('|', '\\|')
const text = (help: string): string => `\`\`\`text\n${help.trim()}\n\`\`\``

const optionRow = ([name, { kind, initial, help }]: [string, (typeof OPTIONS)[keyof typeof OPTIONS]]): string[] => [
  code(`--${name}`),
  code(toEnvironmentName(name)),
  code(cell(kind.shape)),
  initial ? code(initial) : '',
  cell(help),
]

const certifyRow = ([name, row]: [string, { value?: string; help: string }]): string[] => [
  code(`--${name} ${row.value ?? ''}`.trimEnd()),
  cell(row.help),
]

/** Reads the calls and tags of an OpenAPI description from its file. */
function readCalls(file: string) {
  const { tags, paths }: Description = parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  const calls = Object.entries(paths).flatMap(([path, members]) =>
    METHODS.flatMap(method => (members[method] ? [{ path, method, ...members[method] }] : [])),
  )
  return { tags, calls }
}

/** Returns the table of the payment API's operations, with summaries from contracts/openapi.yaml. */
function operationsTable(): string {
  const { calls } = readCalls('../contracts/openapi.yaml')
  const rows = OPERATION_NAMES.map(name => {
    const { method, path, keyed, scope } = OPERATIONS[name]
    const { summary = '' } = calls.find(({ operationId }) => operationId === name) ?? {}
    return [code(`${method} ${path}`), cell(summary), scope ? code(scope) : '', keyed ? 'required' : '']
  })
  return table(['Call', 'What it does', 'Scope', 'Idempotency-Key'], rows)
}

/** Returns the tables of the control API's calls, one per tag of its OpenAPI description. */
function controlTables(): string {
  const { tags, calls } = readCalls('../simulator/control/openapi.yaml')
  const tableOf = (tag: string) =>
    table(
      ['Call', 'What it does'],
      calls
        .filter(({ tags: [first] }) => first === tag)
        .map(({ method, path, summary }) => [code(`${method.toUpperCase()} ${path}`), cell(summary)]),
    )
  return tags.map(({ name, description }) => `### ${description.replace(/\.$/, '')}\n\n${tableOf(name)}`).join('\n\n')
}
