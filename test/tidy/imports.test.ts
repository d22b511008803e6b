import { expect, test } from 'vitest'
import { importsOf, sources } from './sources.ts'

const SHAPES = ['contracts/protocol', 'contracts/openapi.gen']
const GROUND = [
  'simulator/bell',
  'simulator/clock',
  'simulator/duration',
  'simulator/ids',
  'simulator/nesting',
  'simulator/one-line',
  'simulator/refusal',
  'simulator/start-error',
  'simulator/make-folder',
]

// biome-ignore format: a table reads by its columns
/** Who may import whom. The longest row that begins a file's path decides; inside its own row a file is free. */
const MAY_IMPORT: readonly (readonly [from: string, to: readonly string[]])[] = [
  ['bin',                     ['simulator/main', 'simulator/bound-heap', 'simulator/health', 'simulator/scenarios/check-command', 'contracts/cli', 'contracts/lab/command', 'fixtures/seed', 'fixtures/drill']],
  ['contracts/cli',           ['contracts']],
  ['contracts/commands',      ['contracts']],
  ['contracts/scout',         ['contracts/suites', 'contracts/harness', 'contracts/client', ...SHAPES]],
  ['contracts/vitest',        ['contracts']],
  ['contracts/suites',        ['contracts/harness', 'contracts/client', ...SHAPES]],
  ['contracts/harness',       ['contracts/report.schema', 'contracts/client', ...SHAPES]],
  ['contracts/lab',           ['contracts/client', 'contracts/protocol']],
  ['contracts/client',        SHAPES],
  ['contracts/protocol',      []],
  ['contracts/conduct',       ['contracts/client/endpoints', 'contracts/protocol']],
  ['fixtures',                ['contracts/client', 'contracts/conduct', 'contracts/harness', 'contracts/protocol/sign']],
  ['hosted-pages',            []],
  ['simulator/payments',      [...SHAPES, ...GROUND]],
  ['simulator/providers',     ['simulator/payments', ...SHAPES, ...GROUND]],
  ['simulator/webhooks',      ['simulator/payments', 'simulator/store/port', ...SHAPES, ...GROUND]],
  ['simulator/store',         ['simulator/webhooks/notification', 'simulator/payments', 'simulator/providers', ...SHAPES, ...GROUND]],
  ['simulator/reports',       ['simulator/payments', ...SHAPES, ...GROUND]],
  ['simulator/scenarios',     ['simulator/payments', 'simulator/providers', 'simulator/webhooks/notification', ...SHAPES, ...GROUND]],
  ['simulator/operations',    ['simulator/scenarios', 'simulator/payments', 'simulator/reports', 'simulator/providers', 'simulator/store/port', 'simulator/jobs', ...SHAPES, ...GROUND]],
  ['simulator/jobs',          ['simulator/operations', 'simulator/payments', 'simulator/store/port', ...SHAPES, ...GROUND]],
  ['simulator/operator',      ['simulator/scenarios', 'simulator/webhooks', 'simulator/store/webhooks-port', 'simulator/store/deeds-port', 'simulator/operations', 'simulator/payments', 'simulator/providers', 'simulator/jobs', 'simulator/store/port', 'simulator/journal', 'hosted-pages/port', 'hosted-pages/portal', 'simulator/reports', 'contracts/conduct', ...SHAPES, ...GROUND]],
  ['simulator/control',       ['contracts/conduct', 'contracts/protocol/lab/report', 'hosted-pages/portal/live-port', 'hosted-pages/portal/timeline-file', 'simulator/scenarios', 'simulator/operator', 'simulator/providers/provider', 'simulator/addresses', 'simulator/options', ...GROUND]],
  ['simulator/http',          ['simulator/variety', 'simulator/providers/faults', 'simulator/operations', 'simulator/operator', 'simulator/payments', 'simulator/jobs', 'simulator/store/port', 'simulator/journal', 'simulator/addresses', 'simulator/options', ...SHAPES, ...GROUND]],
  ['simulator/index',         ['simulator/simulator', 'simulator/operator/kit', 'simulator/options']],
  ['simulator/addresses',     ['simulator/operator/kit', 'simulator/options']],
  ['simulator/config',        ['simulator/options', ...GROUND]],
  ['simulator/health',        []],
  ['simulator/journal',       GROUND],
  ['simulator/main',          ['simulator/simulator', 'simulator/bound-heap', 'simulator/config', 'simulator/options', ...GROUND]],
  ['simulator/open-pages',    ['simulator/load-site', 'simulator/control', 'simulator/operator', 'simulator/http', 'simulator/addresses', 'simulator/options']],
  ['simulator/load-site',     ['hosted-pages/pages', 'simulator/control', 'simulator/operator', 'simulator/http', 'simulator/addresses']],
  ['simulator/variety',       ['simulator/store/port', ...SHAPES, ...GROUND]],
  ['simulator/bell',          []],
  ['simulator/clock',         []],
  ['simulator/duration',      []],
  ['simulator/ids',           []],
  ['simulator/nesting',       []],
  ['simulator/one-line',      []],
  ['simulator/refusal',       ['contracts/protocol', 'simulator/one-line']],
  ['simulator/start-error',   []],
  ['simulator/make-folder',   ['simulator/start-error']],
  ['simulator/read-authority', ['simulator/start-error']],
  ['simulator/resume',        ['simulator/jobs', 'simulator/operator', 'simulator/store/port', ...GROUND]],
  ['simulator/tell-fault',    ['simulator/store/sqlite/trouble', 'simulator/store/postgres/trouble', ...GROUND]],
  ['simulator/join-replicas', ['simulator/http/trust', 'simulator/jobs', 'simulator/journal', 'simulator/store/port', ...GROUND]],
  ['simulator/open-store',    ['simulator/options', 'simulator/store', ...GROUND]],
  ['simulator/bound-heap',    []],
  ['simulator/options',       ['simulator/duration', 'contracts/protocol']],
  ['simulator/simulator',     ['simulator', 'hosted-pages', ...SHAPES]],
]

const rowOf = (file: string) =>
  MAY_IMPORT.filter(([from]) => within(file, from)).sort(([a], [b]) => b.length - a.length)[0]

const within = (file: string, folder: string) => file.startsWith(`${folder}/`) || file.startsWith(`${folder}.`)

const product = sources('{bin,contracts,fixtures,hosted-pages,simulator}')

test('every import is one that the table of the house allows', () => {
  const strangers = product.flatMap(file => {
    const [own, allowed] = rowOf(file) ?? ['', []]
    const reached = importsOf(file).filter(target => ![own, ...allowed].some(folder => within(target, folder)))
    return reached.map(
      target =>
        `${file} imports ${target}, but ${own || 'a file without a row'} may reach only ${allowed.join(', ') || 'itself'}`,
    )
  })
  expect(strangers).toEqual([])
})

test('no file imports itself by a circle', () => {
  expect(product.flatMap(file => circleFrom(file))).toEqual([])
})

/** The first circle found from a file back to it, written with arrows; found once, from its smallest member. */
function circleFrom(start: string): string[] {
  const seen = new Set<string>()
  const walk = (file: string, path: string[]): string | undefined => {
    for (const next of importsOf(file)) {
      if (next === start) return [...path, next].join(' → ')
      if (next < start || seen.has(next) || !product.includes(next)) continue
      seen.add(next)
      const circle = walk(next, [...path, next])
      if (circle) return circle
    }
  }
  return [walk(start, [start])].filter(circle => circle !== undefined)
}
