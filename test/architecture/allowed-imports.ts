/**
 * Parts of contracts/ that every folder may import, by the import table: the protocol and the types of the API
 * description.
 */
export const CONTRACT = ['contracts/operations', 'contracts/dialect', 'contracts/protocol', 'contracts/openapi.gen']
/** The folder of the simulator that each of its other folders may import, by the import table. */
export const SUPPORT = 'simulator/support'
/** Files of the store that others may import: its interface and records, not its adapters or snapshot validation. */
const STORE = [
  ...[
    'shopper-click-and-clock-move',
    'certificate-and-key',
    'organization',
    'organization-state',
    'payment-count-and-id-search',
    'replica-coordination',
    'retention',
    'schedule',
    'organization-snapshot',
    'webhook',
  ].map(part => `simulator/store/${part}-store`),
  'simulator/store/store',
  'simulator/store/unit-of-work',
]

type ImportRow = readonly [from: string, to: readonly string[]]

// biome-ignore format: a table reads by its columns
/**
 * The import table: folders that each folder may import besides itself; the longest row that begins a file's path
 * decides.
 */
export const MAY_IMPORT: readonly ImportRow[] = [
  ['bin',                      ['simulator/commands', 'contracts/certify-command', 'contracts/signature-lab/command', 'contracts/dialect-commands/command', 'fixtures/seed', 'fixtures/drill', 'fixtures/kit', 'fixtures/listen']],

  ['contracts/certify-command', ['contracts']],
  ['contracts/certify-in-test-runner',         ['contracts']],
  ['contracts/commands',       ['contracts']],
  ['contracts/scout',          ['contracts/suites', 'contracts/harness', 'contracts/client', ...CONTRACT]],
  ['contracts/dialect-commands', ['contracts/read-decisions-table', 'contracts/harness', 'contracts/schema', ...CONTRACT]],
  ['contracts/suites',         ['contracts/read-file-up-to', 'contracts/harness', 'contracts/client', 'contracts/model/bodies-mean-the-same', ...CONTRACT]],
  ['contracts/model',          CONTRACT],
  ['contracts/explore',        ['contracts/model', 'contracts/suites', 'contracts/harness', 'contracts/client', ...CONTRACT]],
  ['contracts/harness',        ['contracts/create-folder', 'contracts/read-file-up-to', 'contracts/report.schema', 'contracts/package-version', 'contracts/read-decisions-table', 'contracts/schema', 'contracts/client', ...CONTRACT]],
  ['contracts/signature-lab',            ['contracts/client', 'contracts/protocol']],
  ['contracts/conduct',        ['contracts/operations', 'contracts/protocol']],
  ['contracts/client',         ['contracts/read-file-up-to', ...CONTRACT]],
  ['contracts/protocol',       ['contracts/operations']],
  ['contracts/dialect',        ['contracts/decision-switches.gen', 'contracts/protocol', 'contracts/operations']],
  ['contracts/operations',     []],
  ['contracts/read-decisions-table', ['contracts/decisions.schema', 'contracts/schema']],
  ['contracts/schema',         ['contracts/protocol/user-info']],
  ['contracts/package-version', []],
  ['contracts/create-folder',  []],
  ['contracts/read-file-up-to', []],

  ['fixtures',                 ['contracts/client', 'contracts/create-folder', 'contracts/conduct', 'contracts/harness', 'contracts/protocol/sign-messages', 'contracts/protocol/providers-and-capabilities', 'contracts/protocol/visible-text', 'contracts/protocol/parse-arguments']],
  ['hosted-pages',             []],

  ['simulator/support',        ['contracts/create-folder', 'contracts/dialect', 'contracts/operations', 'contracts/protocol']],
  ['simulator/options',        ['contracts/dialect', 'contracts/harness/profile', 'contracts/protocol', SUPPORT]],
  ['simulator/payments',       [...CONTRACT, SUPPORT]],
  ['simulator/providers',      ['simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/store',          ['contracts/client/sandbox-address', 'contracts/schema', 'simulator/providers', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/webhooks',       [...STORE, 'simulator/jobs', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/reports',        [...STORE, 'simulator/jobs', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/scenarios',      [...STORE, 'contracts/schema', 'simulator/providers', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/operations',     [...STORE, 'simulator/jobs', 'simulator/scenarios', 'simulator/reports', 'simulator/providers', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/jobs',           [...STORE, SUPPORT]],
  ['simulator/journal',        ['contracts/operations', 'contracts/package-version', SUPPORT]],
  ['simulator/timeline',       [...STORE, 'hosted-pages/portal/timeline/timeline-mark-types', 'simulator/jobs', 'simulator/journal', 'simulator/webhooks', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/overview',       [...STORE, 'simulator/journal', 'simulator/timeline', SUPPORT]],
  ['simulator/installation',   [...STORE, 'contracts/client/kit-files', 'simulator/options', ...CONTRACT, SUPPORT]],
  ['simulator/organizations',  [...STORE, 'contracts/read-decisions-table', 'contracts/harness/profile', 'simulator/journal', 'simulator/store/snapshot-validation', 'simulator/installation', 'simulator/jobs', 'simulator/payments', 'simulator/providers', ...CONTRACT, SUPPORT]],
  ['simulator/shoppers',       [...STORE, 'simulator/operations', 'simulator/jobs', 'simulator/providers', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/shop',           ['contracts/client', 'hosted-pages/shop/demo-shop-types', ...CONTRACT, SUPPORT]],
  ['simulator/conduct',        [...STORE, 'simulator/jobs', 'contracts/conduct', 'simulator/installation', 'simulator/journal', 'simulator/organizations', 'simulator/scenarios', 'simulator/shoppers', 'simulator/webhooks', 'simulator/payments', ...CONTRACT, SUPPORT]],
  ['simulator/signature-lab',  [...STORE, 'simulator/installation/merchant-kit', 'simulator/journal', 'simulator/http/signature-rules-from-config', ...CONTRACT, SUPPORT]],
  ['simulator/compose-control-plane',  ['simulator']],
  ['simulator/control',        ['simulator', 'contracts/conduct', 'contracts/read-decisions-table', ...CONTRACT]],
  ['simulator/http',           [...STORE, 'contracts/schema', 'simulator/operations', 'simulator/installation', 'simulator/organizations', 'simulator/jobs', 'simulator/journal', 'simulator/providers', 'simulator/payments', 'simulator/options', ...CONTRACT, SUPPORT]],
  ['simulator/startup',        ['simulator', 'contracts/package-version', 'hosted-pages/load-pages', ...CONTRACT]],
  ['simulator/index',          ['bin/run-with-newer-node', 'simulator/simulator', 'simulator/installation/merchant-kit', 'simulator/options', SUPPORT]],
  ['simulator/telemetry',      [...STORE, 'simulator/control/control-token-verifier', 'simulator/control/permitted-calls', 'contracts/package-version', 'simulator/journal', 'simulator/organizations', 'simulator/options', SUPPORT]],
  ['simulator/commands',       ['contracts/client/sandbox-address', 'contracts/client/termination-signals', 'contracts/package-version', 'contracts/protocol/visible-text', 'contracts/protocol/parse-arguments', 'contracts/protocol/shell-word', 'simulator/simulator', 'simulator/options', 'simulator/scenarios', SUPPORT]],
  ['simulator/simulator',      ['simulator', ...CONTRACT]],
]

/** Whether a file is this path of the import table or lies below it. */
export const isWithin = (file: string, path: string): boolean =>
  file.startsWith(`${path}/`) || file.startsWith(`${path}.`)

/** Returns the row of the import table that decides for a file: the one with the longest path. */
export const rowOf = (file: string): ImportRow | undefined =>
  MAY_IMPORT.filter(([from]) => isWithin(file, from)).sort(([a], [b]) => b.length - a.length)[0]
