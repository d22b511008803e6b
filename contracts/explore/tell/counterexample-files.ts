import { curlCommand, quoted } from '../../protocol/signature-lab/write-curl-command.ts'
import type { PlayedStep } from '../play-and-judge-steps.ts'
import { toReplayFile } from '../replay-file.ts'
import type { Shrunk } from '../shrink.ts'
import { counterexampleScenario } from './counterexample-scenario.ts'
import { describePlayed, describeStep } from './describe-step.ts'
import { findingText, storyOf } from './finding-text.ts'
import { sequenceDiagram } from './sequence-diagram.ts'

/** Names of a deployment in a counterexample's test file: its profile and what is used in place of its addresses. */
export type TargetNames = Readonly<Record<'profile', string> & Partial<Record<'baseUrl' | 'kit' | 'control', string>>>

/** Names of the files that tell a counterexample found by exploration; they are part of the interface. */
export const COUNTEREXAMPLE_FILES = {
  replay: 'counterexample.json',
  page: 'counterexample.md',
  test: 'counterexample.test.ts',
  scenario: 'counterexample.yaml',
} as const

/** Returns the texts of the files that tell a counterexample whose secrets are hidden, by name. */
export const counterexampleFiles = (shrunk: Shrunk, target: TargetNames): Readonly<Record<string, string>> => ({
  [COUNTEREXAMPLE_FILES.replay]: toReplayFile(shrunk.steps),
  [COUNTEREXAMPLE_FILES.page]: page(shrunk, target),
  [COUNTEREXAMPLE_FILES.test]: testFile(shrunk, target),
  [COUNTEREXAMPLE_FILES.scenario]: counterexampleScenario(shrunk),
})

const OPTIONS = { profile: '--profile', baseUrl: '--base-url', kit: '--kit', control: '--control' } as const

const optionsOf = (target: TargetNames): string =>
  (Object.entries(OPTIONS) as [keyof TargetNames, string][])
    .flatMap(([name, option]) => (target[name] === undefined ? [] : `${option} ${quoted(target[name])}`))
    .join(' ')

const page = (shrunk: Shrunk, target: TargetNames): string => {
  const [title = ''] = findingText(shrunk).split('\n')
  return `# ${title}

${storyOf(shrunk).join('  \n')}

${shrunk.play.played.map(one => `- ${describePlayed(one)}`).join('\n')}

\`\`\`mermaid
${sequenceDiagram(shrunk.play.played)}
\`\`\`

## Play it again

\`\`\`sh
assay certify explore ${optionsOf(target)} --replay ${COUNTEREXAMPLE_FILES.replay}
npx vitest run ${COUNTEREXAMPLE_FILES.test}
\`\`\`

## The calls as they were made

Tokens and codes are hidden, and a signature holds for a short time: \`--replay\` makes them anew.

\`\`\`sh
${shrunk.play.played.flatMap(curlOf).join('\n\n')}
\`\`\`
`
}

const curlOf = ({ step, exchange }: PlayedStep): string[] => {
  if (!exchange) return [`# ${step.id} ${describeStep(step)}`]
  const { method, url, headers, body } = exchange.request
  const command = curlCommand({ method, url, headers: Object.entries(headers), ...(body && { body }) })
  return [`# ${step.id} ${describeStep(step)}\n${command}`]
}

const testFile = ({ steps, play }: Shrunk, target: TargetNames): string => {
  const clauses = play.violation?.clauses.join(', ') ?? ''
  const last = play.played.find(({ step }) => step.id === play.violation?.step.id)
  return `import { replaySequence } from '@assay-sandbox/assay/vitest'
import { expect, test } from 'vitest'

${play.played.map(one => `// ${describePlayed(one)}`).join('\n')}
test(${JSON.stringify(`${clauses}: ${last ? describeStep(last.step) : ''}`)}, async () => {
  const violation = await replaySequence({
${Object.entries(target)
  .map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`)
  .join('\n')}
    steps: [
${steps.map(step => `      ${JSON.stringify(step)},`).join('\n')}
    ],
  })
  expect(violation).toBeUndefined()
}, 60_000)
`
}
