import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CheckResult } from '../../../contracts/harness/judge/check.ts'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { findFreePort } from '../../support/free-port.ts'
import { runSuites } from '../run-suites.ts'
import { type StandIn, type StandInOptions, startStandIn, writeStandInProfile } from './start-stand-in.ts'
import { VARIANT_SHAPES } from './variant-profile-lines.ts'

const FOLDER = import.meta.dirname
/** Address of the second organization's webhooks, where nobody listens. */
const NOWHERE = 'http://127.0.0.1:9/hook'
/** Settings under which the stand-in does at once what a deployment does in seconds. */
const SETTINGS = { settle_seconds: 0.2 }

/** Result of a run of all checks against a stand-in; `hits` counts the calls that met each planted violation at least. */
type StandInRun = { results: CheckResult[]; hits: number }

/** Choice of how the stand-in deployment is started for a run; `webhooks`: it sends them to a receiver of the run. */
export type StandInChoice = Omit<StandInOptions, 'folder' | 'webhookUrl' | 'secondWebhookUrl'> & { webhooks?: true }

/**
 * Certifies a freshly started stand-in deployment by all checks, or by some, with the profile lines of its variants.
 */
export const certifyStandIn = (options: StandInChoice, only: readonly string[] = []): Promise<StandInRun> =>
  withStandIn(options, async (file, standIn) => ({
    results: await runSuites(readProfile(file), only),
    hits: await standIn.hits(),
  }))

/**
 * Starts the stand-in deployment and calls back with the file of its profile, with the lines of its variants; stops it
 * afterwards.
 */
export const withStandIn = async <Result>(
  { variants = [], violations = [], settings, webhooks }: StandInChoice,
  use: (file: string, standIn: StandIn) => Promise<Result>,
): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stand-in-'))
  const receiver = webhooks && `http://127.0.0.1:${await findFreePort()}`
  const standIn = await startStandIn({
    folder,
    variants,
    violations,
    settings: { ...SETTINGS, ...settings },
    ...(receiver === undefined ? {} : { webhookUrl: `${receiver}/hook`, secondWebhookUrl: NOWHERE }),
  })
  try {
    const shapes = variants.reduce(
      (merged, name) => mergeLines(merged, VARIANT_SHAPES[name] ?? {}),
      standInShapes(receiver),
    )
    return await use(writeStandInProfile(folder, standIn, shapes), standIn)
  } finally {
    await standIn.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Lines = { [name: string]: unknown }

/** Profile lines of the stand-in's shapes, with the script that drives its payment page, and where its webhooks go. */
const standInShapes = (receiver?: string): Lines => {
  const shapes = parse(readFileSync(join(FOLDER, 'stand-in-shapes.yaml'), 'utf8')) as Lines
  const driven = mergeLines(shapes, { shopper: { browser: join(FOLDER, 'pay-on-stand-in-page.mjs') } })
  return receiver === undefined ? driven : mergeLines(driven, webhookLines(receiver))
}

/** The state of an authorized payment stands in the third entry of its history. */
const webhookLines = (receiver: string): Lines => ({
  capabilities: { webhooks: null },
  patience: 'PT6S',
  webhooks: { receiver, public: `${receiver}/hook` },
  fields: { events: { status: '/history/2/state', reasonCode: '/history/2/reason' } },
})

const isLines = (value: unknown): value is Lines => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges the lines of a variant into those of the stand-in, member by member; null takes a line away. */
const mergeLines = (base: Lines, more: Lines): Lines => {
  const merged = { ...base }
  for (const [name, value] of Object.entries(more)) {
    const old = merged[name]
    if (value === null) delete merged[name]
    else merged[name] = isLines(value) && isLines(old) ? mergeLines(old, value) : value
  }
  return merged
}

/** One planted violation or lawful variant of the stand-in deployment, as its program lists it. */
export type StandInRow = {
  name: string
  clause: string
  sentence: string
  cell?: { rule: string; operation: string; where: string }
}

/** Lists the lawful variants and planted violations of the stand-in deployment. */
export const listStandIn = (): { variants: StandInRow[]; violations: StandInRow[] } =>
  JSON.parse(execFileSync('python3', [join(FOLDER, 'main.py'), '--list'], { encoding: 'utf8' }))
