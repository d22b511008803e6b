import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, machineLine } from '../bench/report/machine.ts'
import { type Figures, SECTION_TABLES, type Section } from '../bench/report/section-figures-and-tables.ts'

const FILE = join(import.meta.dirname, 'figures.json')

/**
 * Recorded benchmark figures by section, each section with the machine that measured it: the content of
 * docs/figures.json, written by `--record`.
 */
export type RecordedFigures = { [Name in Section]?: { machine: Machine; figures: Figures[Name] } }

/** Reads the recorded benchmark figures from docs/figures.json. */
export const readRecordedFigures = (): RecordedFigures =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}

// biome-ignore format: a table reads by its columns
const CHAPTERS: Record<Section, { title: string; command: string; what: string }> = {
  speed:   { title: 'Speed and memory', command: 'npm run bench -- --rivals --record', what: 'Medians of five runs, and the range of each goal. All servers are measured in turns in one run, each in a process of its own, Assay as the built package; public mock servers in the first run alone. The bare servers do the minimum: the same TLS and cryptography, or the same framework, and one insert per call. Public mock servers return one stubbed response over plain HTTP and store nothing. Every server runs with the allocator settings of the image (`MALLOC_…` in the Dockerfile), Assay also with the Node options of its start command; Node servers have the default four threads of the thread pool, except Assay, which has one per core for signatures. An initiate of Assay writes five rows with their indexes: the payment, its event, its deadline, the response stored under the idempotency key, and the notification. With disabled layers it does not sign responses to unsigned requests (D-70).' },
  growth:  { title: 'Growth',           command: 'npm run bench -- --growth --million --record', what: 'The time of a call inside the service, without HTTP, in a growing database.' },
  soak:    { title: 'Soak',             command: 'npm run soak -- --record', what: 'Shoppers with both methods, webhooks, faults, scenarios, searches, portal users, organizations created and removed, a clock that moves by days: does anything grow? The second half of the run is judged.' },
  simulation: { title: 'Simulation', command: 'npm run simulate -- 365 1 --record', what: 'The service without its ports in one process, on a virtual clock, a simulated disk and a simulated network, from seeds: six organizations trade, processes are killed, the power fails, the disk is full or slow, webhooks are lost, late and out of order. The model of the contract explains every response, and each database that a crash leaves has what was acknowledged; a power cut may undo what was not synced (D-112), and only that.' },
  replicas: { title: 'Replicas',        command: 'npm run bench -- --replicas --record', what: 'One to three processes over one PostgreSQL compared with the embedded store, in turns, everything on one machine: replicas share its cores, so CPU time says more than the rate. The last line is a plain client that writes the same rows into the same tables and indexes, one commit each. The number of round trips of a call is measured over a connection with added latency. Each replica serves 3,000 calls and runs as many due jobs as are measured before, as it compiles its code by itself; due jobs are those of twenty organizations.' },
  telemetry: { title: 'Metrics and logs', command: 'npm run bench -- --telemetry --record', what: 'Processor time of one signed initiate on a sandbox with `--metrics on`, and with `--log json`, against one without, in alternating rounds of one run.' },
  dialects: { title: 'Dialects',       command: 'npm run bench -- --dialects --record', what: 'Processor time of one signed initiate on a sandbox that speaks another dialect, against one that speaks our own, in alternating rounds of one run.' },
  tenants: { title: 'Tenants',          command: 'npm run bench -- --tenants --ten-million --record', what: 'Five hundred organizations in one PostgreSQL as it fills, up to ten million payments (without `--ten-million` to one); and the effect of a busy organization on a quiet one over the same two replicas. PostgreSQL has a quarter of the memory as shared buffers; each number of payments has a schema of its own, measured in turn.' },
  certify: { title: 'Certify',          command: 'npm run bench -- --certify --record', what: 'A whole certification against Assay, including the start of the command.' },
}

/** Returns the text of docs/figures.md: all recorded figures, with the commands that measure them. */
export const figuresPage = (): string => {
  const all = readRecordedFigures()
  const sections = (Object.keys(CHAPTERS) as Section[]).map(name => chapter(name, all))
  return `<!-- Generated from docs/figures.json, which \`--record\` writes: measure again, do not edit. -->

# Figures

A figure is valid for the machine that it was measured on; ratios carry over better to others. \`--json FILE\` instead of \`--record\`
writes the figures to a file of your own.

${sections.join('\n\n')}
`
}

const chapter = <Name extends Section>(name: Name, all: RecordedFigures): string => {
  const { title, command, what } = CHAPTERS[name]
  const measured: { machine: Machine; figures: Figures[Name] } | undefined = all[name]
  const found = measured
    ? `${machineLine(measured.machine)}.\n\n\`\`\`\n${SECTION_TABLES[name](measured.figures)}\n\`\`\``
    : 'Not measured yet.'
  return `## ${title}\n\n${what} \`${command}\` repeats the measurement.\n\n${found}`
}
