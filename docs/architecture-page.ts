import { CONTRACT, MAY_IMPORT, SUPPORT } from '../test/architecture/allowed-imports.ts'
import { code, table } from './markdown.ts'
import { DIAGRAMS, PRODUCT_FOLDERS, toMermaid } from './product-folders-and-diagrams.ts'

/** Returns the text of docs/architecture.md: folders, path of a call, path of a check, and import table. */
export const architecturePage = (): string => `# Architecture

\`contracts/\` describes the payment API, signs and verifies its messages, calls it as a merchant does, and runs checks against any
base URL; it imports nothing of the simulator. \`simulator/\` serves that API with the descriptions, signatures and dialects of \`contracts/\`:
a virtual clock for each organization, scenarios and simulated providers. \`hosted-pages/\` renders the shopper's pages and the
portal, \`fixtures/\` is imported by merchants' tests, \`scenarios/\` holds data, \`test/\` the tests and \`bench/\` the measurements.

## Rooms

${table(
  ['Room', 'What is in it'],
  PRODUCT_FOLDERS.map(([folder, what]) => [`[${code(folder)}](../${folder})`, what]),
)}

An arrow leads from a room to one that it imports:

\`\`\`mermaid
${toMermaid(DIAGRAMS.halves)}
\`\`\`

\`simulator/simulator.ts\` is the one place that composes the simulator. Its rooms, from the entrances down; every room may also use
\`contracts/protocol\` and \`simulator/support\`, and most read the store through its port, so those arrows are left out:

\`\`\`mermaid
${toMermaid(DIAGRAMS.simulator)}
\`\`\`

## The way of a call

\`\`\`mermaid
flowchart TD
${CALL_DRAWING}
\`\`\`

${table(['Step', 'Where', 'What happens'], CALL.map(linked))}

## The way of a check

A check never calls the service. A scenario makes calls and keeps each exchange under the name of a step; its checks judge those
exchanges, so a saved run can be judged again without a call (\`assay certify regrade\`).

\`\`\`mermaid
flowchart TD
${CHECK_DRAWING}
\`\`\`

${table(['Step', 'Where', 'What happens'], CHECK.map(linked))}

## Who may import whom

Printed from [\`test/architecture/allowed-imports.ts\`](../test/architecture/allowed-imports.ts), against which
\`test/architecture/import-boundaries.test.ts\` holds every import; the same test finds cycles. A room may always import its own files.
*contract* is ${CONTRACT.map(code).join(', ')}; *support* is ${code(SUPPORT)}; a name without a last folder is the whole half.

${table(
  ['Room or file', 'May import'],
  MAY_IMPORT.map(([from, to]) => [code(from), importCell(to)]),
)}
`

type Step = readonly [step: string, file: string, what: string]

const linked = ([step, file, what]: Step): string[] => [step, `[${code(file)}](../${file})`, what]

/** Returns the table cell of the paths a folder may import; those that all may use are shortened to one word. */
const importCell = (paths: readonly string[]): string => {
  const whole = CONTRACT.every(path => paths.includes(path))
  const named = paths.filter(path => path !== SUPPORT && !(whole && CONTRACT.includes(path))).map(code)
  const common = [...(whole ? ['*contract*'] : []), ...(paths.includes(SUPPORT) ? ['*support*'] : [])]
  return [...named, ...common].join(', ') || 'nothing'
}

const CALL_DRAWING = `  bytes([raw bytes]) --> read[read HTTP and body] --> begin[begin the call] --> layers
  subgraph layers [layers, in this order]
    limits[body limit and framing] --> certificate --> rate[rate limit] --> signature[digest and signature] --> token --> version
  end
  layers --> schema[scope, idempotency key, schema] --> known
  subgraph unit [one unit of work]
    known{key known?} -- no --> load --> decide[operation decides, provider answers] --> transition --> save[save payment, events, jobs, reply]
    known -- yes --> replay[saved reply]
  end
  replay --> sign
  save --> sign[sign the response]
  layers -. refusal .-> sign
  schema -. refusal .-> sign
  sign --> journal --> response([response])
  save -. later, by the clock .-> jobs[due jobs: deadlines, settlement, webhooks]`

// biome-ignore format: a table reads by its columns
const CALL: readonly Step[] = [
  ['read',        'simulator/http/listen.ts',                     'HTTP or HTTPS server; the body is read to its end, within limits'],
  ['malformed',   'simulator/http/respond-to-malformed-http.ts',   'bytes that are no HTTP request get the error body of the contract'],
  ['order',       'simulator/http/api-layer-order-and-routing.ts',                        'the one definition of the order of the layers'],
  ['begin',       'simulator/http/layers/begin-call.ts',          'call id, version, stopwatch'],
  ['limits',      'simulator/http/layers/check-request-size-and-headers.ts',  'body limit and framing'],
  ['certificate', 'simulator/http/layers/require-certificate.ts', 'certificate to organization (5.1)'],
  ['rate',        'simulator/http/layers/limit-rate.ts',          'token bucket of the organization'],
  ['signature',   'simulator/http/layers/verify-signature.ts',    'digest and RFC 9421 signature over the raw bytes (5.2)'],
  ['token',       'simulator/http/layers/require-token.ts',       'access token of the same organization, and its scopes (5.3)'],
  ['version',     'simulator/http/layers/check-service-version.ts',      '`Service-Version` (9)'],
  ['schema',      'simulator/http/create-operation-handler.ts',          'scope, idempotency key (I1), request against the API description'],
  ['execute',     'simulator/operations/execute-call.ts',              'a call as one unit of work: replay, or load, decide, save'],
  ['decide',      'simulator/operations/decide-call.ts',          'selects the scenario, asks operation and provider; pure'],
  ['transition',  'simulator/payments/apply-transition.ts',       'next state and its event, by the table of [lifecycle.md](lifecycle.md)'],
  ['sign',        'simulator/http/layers/sign-response.ts',       'signs whatever is sent, refusals too (5.4), and records the call'],
  ['journal',     'simulator/journal/journal.ts',                 'keeps the call, with the layer that refused it and why'],
  ['later',       'simulator/jobs/job-scheduler.ts',              'runs what is due, in the order of due times'],
  ['webhooks',    'simulator/webhooks/outbox.ts',                 'an event becomes saved messages, which a job delivers'],
]

const CHECK_DRAWING = `  profile([profile]) --> target[target: tier, chosen checks]
  suites([suites]) --> target
  target --> play
  subgraph each [each scenario]
    play[make its calls] --> send[sign and send] --> guard{guard} -- within budgets --> service[(deployment)]
    service --> exchange[exchange, kept by step] --> play
    exchange --> judge[judge its checks]
    judge --> apply[apply the profile] --> verdict
  end
  target -. higher tier, missing line, not applicable .-> verdict
  guard -. budget spent .-> stop[end the run]
  verdict --> cleanup[clean up] --> report([report])`

// biome-ignore format: a table reads by its columns
const CHECK: readonly Step[] = [
  ['profile',  'contracts/harness/profile/profile.ts',            'address, credentials and dialect of a deployment; what it confirms'],
  ['target',   'contracts/commands/chosen-profile-and-checks.ts',                'profile, tier and chosen checks of a run'],
  ['suites',   'contracts/suites/index.ts',                       'every scenario in order; control checks come first'],
  ['context',  'contracts/suites/context/check-context.ts',       'what a scenario may use'],
  ['run',      'contracts/commands/judge-deployment.ts',          'one run from the first call to the report, redacted'],
  ['play',     'contracts/harness/run/run-scenarios.ts',          'plays a scenario, judges each chosen check once'],
  ['call',     'contracts/client/send-signed-call.ts',                 'signs and sends; a check breaks exactly one thing by an override'],
  ['guard',    'contracts/harness/safety/stop-budget-and-ledger-guard.ts',     'budgets, pace, production: what must not be sent is not'],
  ['evidence', 'contracts/harness/judge/scenario-evidence.ts',             'exchanges by step; a step that failed carries its reason'],
  ['judge',    'contracts/harness/judge/check-assertions.ts',               'throws expected and got where they differ'],
  ['verdict',  'contracts/harness/judge/check.ts',                'a check, its result, and the verdicts'],
  ['cleanup',  'contracts/commands/remove-resources-left-by-run.ts', 'cancels and refunds what the run left open'],
  ['report',   'contracts/harness/report/report-folder.ts',       'the files of `--report`'],
]
