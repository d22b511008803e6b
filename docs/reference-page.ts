import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { WORDS } from '../contracts/cli.ts'
import { OPTIONS as CERTIFY_OPTIONS } from '../contracts/commands/word.ts'
import { HELP as LAB } from '../contracts/lab/help.ts'
import { HELP as DRILL } from '../fixtures/drill/arguments.ts'
import { HELP as SEED } from '../fixtures/seed/command.ts'
import { HELP as HEALTH } from '../simulator/health.ts'
import { environmentName, OPTIONS } from '../simulator/options.ts'
import { HELP as SCENARIOS } from '../simulator/scenarios/check-command.ts'
import { code, table } from './table.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

type Call = { operationId: string; summary: string; tags: readonly string[] }
type Description = {
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Partial<Record<(typeof METHODS)[number], Call>>>>
}

/** What every word of certify is and takes, loaded once. */
const words = await Promise.all(
  Object.entries(WORDS).map(async ([name, { help, load }]) => ({ name, help, ...(await load()).word })),
)

/** docs/reference.md: options, commands and calls, from the tables and descriptions that rule them. */
export const referencePage = (): string => `# Reference

## Options of \`assay serve\`

Each is a flag (\`--api-port 0\`), an environment variable (\`ASSAY_API_PORT=0\`) and an entry of the file that
\`--config\` names (\`api-port: 0\`). A flag wins over the environment, the environment over the file. Durations are ISO 8601.

${table(['Option', 'Variable', 'Takes', 'Unless given', 'Meaning'], Object.entries(OPTIONS).map(optionRow))}

## \`assay certify\`

${table(
  ['Command', 'What it does', 'Options'],
  words.map(({ usage, help, takes }) => [
    code(`assay certify ${cell(usage)}`),
    help,
    takes.map(name => code(`--${name}`)).join(' '),
  ]),
)}

${table(['Option', 'Meaning'], Object.entries(CERTIFY_OPTIONS).map(certifyRow))}

[certify.md](certify.md) tells how they work together.

## \`assay lab\`

${text(LAB)}

## \`assay scenarios\`

${text(SCENARIOS)}

## \`assay seed\`

${text(SEED)}

## \`assay drill\`

${text(DRILL)}

## \`assay health\`

${text(HEALTH)}

## Calls of control

On the port of the pages, JSON in and out. \`GET /control/openapi.yaml\` describes every member.

${callsOf('../simulator/control/openapi.yaml')}

## Calls of the API

Behind the three layers, on the API port. [\`openapi.yaml\`](../contracts/openapi.yaml) describes every member;
\`/mock/set\` is there in a sandbox alone.

${callsOf('../contracts/openapi.yaml')}
`

const cell = (words: string): string => words.replaceAll('|', '\\|')
const text = (help: string): string => `\`\`\`text\n${help.trim()}\n\`\`\``

const optionRow = ([name, { kind, initial, help }]: [string, (typeof OPTIONS)[keyof typeof OPTIONS]]): string[] => [
  code(`--${name}`),
  code(environmentName(name)),
  code(cell(kind.shape)),
  initial ? code(initial) : '',
  cell(help),
]

const certifyRow = ([name, row]: [string, { value?: string; help: string }]): string[] => [
  code(`--${name} ${row.value ?? ''}`.trimEnd()),
  cell(row.help),
]

/** One table for each subject of a description, in its order. */
function callsOf(file: string): string {
  const { tags, paths }: Description = parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  const calls = Object.entries(paths).flatMap(([path, members]) =>
    METHODS.flatMap(method => (members[method] ? [{ path, method, ...members[method] }] : [])),
  )
  const tableOf = (tag: string) =>
    table(
      ['Call', 'What it does'],
      calls
        .filter(({ tags: [first] }) => first === tag)
        .map(({ method, path, summary }) => [code(`${method.toUpperCase()} ${path}`), cell(summary)]),
    )
  return tags.map(({ name, description }) => `### ${description.replace(/\.$/, '')}\n\n${tableOf(name)}`).join('\n\n')
}
