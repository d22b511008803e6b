import { readDecisions } from '../contracts/read-decisions-table.ts'

/** Returns the TypeScript source of contracts/decision-switches.gen.ts: the values of each decision that a profile can switch. */
export const decisionSwitchesSource = (): string => {
  const rows = readDecisions().flatMap(({ number, switch: choices }) =>
    choices && 'usual' in choices ? [`  '${number}': [${valuesOf(choices).join(', ')}],`] : [],
  )
  return `// Printed from contracts/decisions.yaml by \`npm run docs\`: change that.

/** Values of each decision that a profile can switch, the usual one first, read from contracts/decisions.yaml. */
export const DECISION_SWITCHES = {
${rows.join('\n')}
} as const
`
}

const valuesOf = ({ usual, others }: { usual: string; others: Readonly<Record<string, string>> }): string[] =>
  [usual, ...Object.keys(others)].map(value => `'${value}'`)
