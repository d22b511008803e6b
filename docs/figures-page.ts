import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, machineLine } from '../bench/machine.ts'
import { type Figures, type Section, TABLES } from '../bench/tables.ts'

const FILE = join(import.meta.dirname, 'figures.json')

/** docs/figures.json: what `--record` has put by, each section with the machine that it was measured on. */
export type Recorded = { [Name in Section]?: { machine: Machine; figures: Figures[Name] } }

export const recorded = (): Recorded => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

// biome-ignore format: a table reads by its columns
const CHAPTERS: Record<Section, { title: string; command: string; what: string }> = {
  speed:   { title: 'Speed and memory', command: 'npm run bench -- --rivals --record', what: 'Everybody is measured in turns in one run, each server in a process of its own. The bare servers are the least that can be done: the same TLS and cryptography, or the same framework, and one insert a call. Public mock servers give one stubbed answer over plain HTTP and keep nothing. Every server runs with what the image tells the allocator of the C library (`MALLOC_…` in the Dockerfile), and those of Node with its four threads, but for Assay, which takes as many for signatures as there are cores. An initiate of Assay writes five rows with their indexes: the payment, its event, its deadline, the answer that its key remembers, and the notification. With its layers off it signs no answer to who does not sign (D-70).' },
  growth:  { title: 'Growth',           command: 'npm run bench -- --growth --million --record', what: 'What a call takes inside, without HTTP, in a database that grows.' },
  soak:    { title: 'Soak',             command: 'npm run soak -- --record', what: 'Shoppers by both methods, webhooks, faults, scenarios, searches, people at the portal, organizations that come and go, a clock that moves on by days: does anything grow? Judged is the second half.' },
  replicas: { title: 'Replicas',        command: 'npm run bench -- --replicas --record', what: 'One to three processes over one PostgreSQL beside the embedded store, in turns, everything on one machine: more replicas share its cores, so processor time tells more than the rate. How often a call waits for PostgreSQL is seen on a line that delays all that goes there.' },
  tenants: { title: 'Tenants',          command: 'npm run bench -- --tenants --ten-million --record', what: 'Five hundred organizations in one PostgreSQL as it fills, up to ten million payments (without `--ten-million` to one); and what a quiet organization feels of a loud one over the same two replicas.' },
  certify: { title: 'Certify',          command: 'npm run bench -- --certify --record', what: 'A whole certification against Assay, the start of the command included.' },
}

/** docs/figures.md: every figure that was put by, with the command that measures it again. */
export const figuresPage = (): string => {
  const all = recorded()
  const sections = (Object.keys(CHAPTERS) as Section[]).map(name => chapter(name, all))
  return `<!-- Printed from docs/figures.json, which \`--record\` writes: measure again, do not type. -->

# Figures

A figure holds for the machine that it was measured on; a ratio holds better. \`--json FILE\` in the place of \`--record\` leaves the
figures in a file of your own.

${sections.join('\n\n')}
`
}

const chapter = <Name extends Section>(name: Name, all: Recorded): string => {
  const { title, command, what } = CHAPTERS[name]
  const measured: { machine: Machine; figures: Figures[Name] } | undefined = all[name]
  const found = measured
    ? `${machineLine(measured.machine)}.\n\n\`\`\`\n${TABLES[name](measured.figures)}\n\`\`\``
    : 'Not measured yet.'
  return `## ${title}\n\n${what} \`${command}\` measures it again.\n\n${found}`
}
