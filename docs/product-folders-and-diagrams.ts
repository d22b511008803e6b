/** Folders of the product and their content, in the order of the docs. A test compares this list with the tree. */
// biome-ignore format: a table reads by its columns
export const PRODUCT_FOLDERS = [
  ['contracts/protocol',      'what goes over the wire: algorithms, digests, signature bases, signing, verifying, versions, codes; pure'],
  ['contracts/schema',        'creates the validators of JSON schemas, and words their errors'],
  ['contracts/dialect',       'how a deployment spells its messages, and what it does where the document is silent; pure'],
  ['contracts/client',        'a merchant: credentials, mutual TLS, tokens, signed calls, recorded exchanges'],
  ['contracts/harness',       'runs checks: profile, run, judge, report, safety; knows no operation'],
  ['contracts/suites',        'the checks, one file for each section of the interface document'],
  ['contracts/model',         'the contract as an executable model: what is permitted in answer to each call, by clause; pure'],
  ['contracts/explore',       'plays random sequences of calls against a deployment, judged by the model, and shrinks what violates it'],
  ['contracts/scout',         'probes a deployment and fills in its profile'],
  ['contracts/conduct',       'rules by which a merchant’s own integration is judged'],
  ['contracts/signature-lab', 'the signature lab on the command line'],
  ['contracts/commands',      'the subcommands of `assay certify`'],
  ['contracts/dialect-commands', 'the subcommands of `assay dialect`'],
  ['contracts/profiles',      'profiles of deployments, as data'],
  ['simulator/http',          'the API: layers in order, routes, request validation, signed responses'],
  ['simulator/operations',    'one file for each operation; they decide and do no input or output. `execute` makes each call one unit of work'],
  ['simulator/payments',      'the domain: payment, lifecycle, deadlines, capabilities, mandates'],
  ['simulator/providers',     'the simulated providers, and the faults that a provider call may meet'],
  ['simulator/scenarios',     'reads scenario files, matches mocks, selects what a call shall meet'],
  ['simulator/jobs',          'runs what is due on the clock of an organization'],
  ['simulator/webhooks',      'notifications, endpoints, retries, deliveries, the inbox'],
  ['simulator/reports',       'daily settlement and transaction reports'],
  ['simulator/store',         'the port of the store, and its two adapters: SQLite and PostgreSQL'],
  ['simulator/journal',       'a record of every call'],
  ['simulator/timeline',      'all that happened to a payment, on one axis'],
  ['simulator/overview',      'what an organization did, counted by period, and the search for ids'],
  ['simulator/installation',  'authority, certificates, signing keys, kits'],
  ['simulator/organizations', 'organizations, their capabilities, clocks, snapshots'],
  ['simulator/shoppers',      'what a shopper can do: approve, decline, let it lapse'],
  ['simulator/shop',          'the demo shop: a client of the API, by the kit of its organization'],
  ['simulator/conduct',       'drills, and the traffic that the rules of conduct judge'],
  ['simulator/signature-lab', 'the signature lab over calls of the journal'],
  ['simulator/control',       'the REST API of tests and operators, beside the contract'],
  ['simulator/commands',      'what the command runs: `serve`, `health`, `scenarios`'],
  ['simulator/options',       'every option: flag, environment variable, file entry'],
  ['simulator/startup',       'opens the parts of a simulator in order'],
  ['simulator/telemetry',     'metrics for Prometheus and lines for logs'],
  ['simulator/support',       'clock, ids, refusals, durations: small parts that every room may use'],
  ['hosted-pages',            'the shopper’s pages (`blik/`, `iris/`), the demo shop and the portal; imports nothing'],
  ['fixtures',                'what a merchant’s tests import: sandbox, Playwright fixtures, drills, demo data'],
  ['bin',                     'the command `assay`'],
] as const satisfies readonly (readonly [folder: string, what: string])[]

type Arrows = readonly (readonly [from: string, to: readonly string[]])[]

/** A diagram of folders in titled groups, with imports as arrows. A test checks each against the import table. */
type FolderDiagram = { groups: readonly (readonly [title: string, rooms: readonly string[]])[]; arrows: Arrows }

// biome-ignore format: a table reads by its columns
const CONTRACT_ARROWS: Arrows = [
  ['bin',                     ['simulator', 'contracts/certify-command', 'contracts/signature-lab', 'fixtures']],
  ['simulator',               ['hosted-pages', 'contracts/protocol']],
  ['fixtures',                ['contracts/harness', 'contracts/client', 'contracts/conduct']],
  ['contracts/certify-command',           ['contracts/commands']],
  ['contracts/commands',      ['contracts/suites', 'contracts/scout', 'contracts/explore']],
  ['contracts/explore',       ['contracts/suites', 'contracts/model']],
  ['contracts/scout',         ['contracts/suites']],
  ['contracts/suites',        ['contracts/harness']],
  ['contracts/harness',       ['contracts/client', 'contracts/schema']],
  ['contracts/signature-lab',           ['contracts/client']],
  ['contracts/conduct',       ['contracts/protocol']],
  ['contracts/client',        ['contracts/protocol']],
]

// biome-ignore format: a table reads by its columns
const SIMULATOR_ARROWS: Arrows = [
  ['simulator/http',          ['simulator/operations', 'simulator/organizations']],
  ['simulator/control',       ['simulator/shoppers', 'simulator/organizations', 'simulator/conduct', 'simulator/signature-lab', 'simulator/timeline']],
  ['simulator/shoppers',      ['simulator/operations', 'simulator/jobs']],
  ['simulator/organizations', ['simulator/jobs', 'simulator/installation']],
  ['simulator/conduct',       ['simulator/webhooks', 'simulator/journal']],
  ['simulator/signature-lab', ['simulator/journal']],
  ['simulator/timeline',      ['simulator/webhooks', 'simulator/journal']],
  ['simulator/operations',    ['simulator/jobs', 'simulator/scenarios', 'simulator/reports', 'simulator/providers']],
  ['simulator/jobs',          ['simulator/store']],
  ['simulator/webhooks',      ['simulator/payments', 'simulator/store']],
  ['simulator/scenarios',     ['simulator/providers', 'simulator/store']],
  ['simulator/reports',       ['simulator/payments', 'simulator/store']],
  ['simulator/providers',     ['simulator/payments']],
  ['simulator/store',         ['simulator/payments']],
]

const below = (folder: string, rooms: readonly string[]): string[] => rooms.map(room => `${folder}/${room}`)

/** The two folder diagrams of docs/architecture.md: the halves of the product, and the simulator by level. */
export const DIAGRAMS = {
  halves: {
    groups: [
      [
        'contracts',
        below('contracts', [
          'certify-command',
          'commands',
          'scout',
          'explore',
          'suites',
          'model',
          'harness',
          'signature-lab',
          'conduct',
          'client',
          'protocol',
        ]),
      ],
    ],
    arrows: CONTRACT_ARROWS,
  },
  simulator: {
    groups: [
      ['entrances', below('simulator', ['http', 'control'])],
      ['features', below('simulator', ['shoppers', 'organizations', 'conduct', 'signature-lab', 'timeline'])],
      ['calls', below('simulator', ['operations', 'jobs', 'webhooks', 'scenarios', 'reports'])],
      ['domain', below('simulator', ['providers', 'payments'])],
      ['records', below('simulator', ['store', 'journal', 'installation'])],
    ],
    arrows: SIMULATOR_ARROWS,
  },
} as const satisfies Readonly<Record<string, FolderDiagram>>

/** Converts a folder diagram to a Mermaid flowchart. */
export const toMermaid = ({ groups, arrows }: FolderDiagram): string =>
  [
    'flowchart TD',
    ...groups.flatMap(([title, rooms]) => [`  subgraph ${title}`, ...rooms.map(room => `    ${node(room)}`), '  end']),
    ...arrows.flatMap(([from, to]) => to.map(target => `  ${node(from)} --> ${node(target)}`)),
  ].join('\n')

/** Returns the Mermaid node of a folder, labelled with the last part of its path. */
const node = (room: string): string => `${room.replace(/\W/g, '_')}["${room.replace(/^.*\//, '')}"]`
