import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../../contracts/protocol/shell-word.ts'
import { StartError } from '../support/start-error.ts'
import type { CheckAgainstSchema } from './check-scenario-file-against-schema.ts'
import { type PlacedEntry, readScenarioFile, type ScenarioMistake } from './read-scenario-file.ts'
import type { Scenario } from './scenario.ts'
import { createScenarioCatalogue, type ScenarioCatalogue } from './scenario-catalogue.ts'
import type { ScenarioFileEntry } from './scenario-file-entry.ts'
import { toScenario } from './scenario-from-file-entry.ts'

/** Folder of the built-in scenarios. */
export const BUILT_IN_FOLDER = fileURLToPath(new URL('../../scenarios', import.meta.url))

/** Number of mistakes that a StartError lists. */
const MAX_LISTED = 5

/**
 * Opens the catalogue of the built-in scenarios and those of the user's folder, which replace built-in ones of the same
 * name. Without a folder, files are read on first use and not checked; a folder is checked at once. Throws a StartError
 * that lists the first mistakes.
 */
export const openScenarioCatalogue = async (folder?: string): Promise<ScenarioCatalogue> => {
  if (folder === undefined) return createBuiltInCatalogue()
  const { scenarios, mistakes } = await checkScenarioFolder(folder)
  if (mistakes.length > 0) throw new StartError(toStartMessage(mistakes, folder))
  return createScenarioCatalogue(scenarios)
}

/**
 * Creates the catalogue of the built-in scenarios alone, read on first use: as JSON, since the YAML that it is generated
 * from held the event loop for 50 ms.
 */
export const createBuiltInCatalogue = (): ScenarioCatalogue =>
  lazy(() => {
    const text = readFileSync(new URL('built-in-scenarios.gen.json', import.meta.url), 'utf8')
    return createScenarioCatalogue((JSON.parse(text) as ScenarioFileEntry[]).map(toScenario))
  })

/** Returns the text of built-in-scenarios.gen.json: the entries of the built-in scenario files, one in each line. */
export const builtInScenariosSource = (): string =>
  `[\n${readFolder(BUILT_IN_FOLDER)
    .entries.map(({ entry }) => JSON.stringify(entry))
    .join(',\n')}\n]\n`

type Checked = {
  scenarios: Scenario[]
  mistakes: ScenarioMistake[]
  /** How many scenarios are from the user's folder. */
  own: number
}

/** Checks the user's folder together with the built-in scenarios, or those alone; throws if it has no files. */
export const checkScenarioFolder = async (folder?: string): Promise<Checked> => {
  const { createCheckAgainstSchema: createCheckShape } = await import('./check-scenario-file-against-schema.ts')
  const checkShape = createCheckShape()
  const builtIn = readFolder(BUILT_IN_FOLDER, folder === undefined ? checkShape : undefined)
  const own = folder === undefined ? { entries: [], mistakes: [] } : readFolder(folder, checkShape)
  const names = new Set(own.entries.map(({ entry }) => entry.name))
  const all = [...builtIn.entries.filter(({ entry }) => !names.has(entry.name)), ...own.entries]
  const unread = folder === undefined || resolve(folder) === BUILT_IN_FOLDER ? [] : unreadFilesOf(folder)
  const twice = [...duplicates(all, 'name'), ...duplicates(all, 'magic')]
  const mistakes = [...builtIn.mistakes, ...own.mistakes, ...unread, ...twice]
  return { scenarios: mistakes.length > 0 ? [] : all.map(fromPlacedEntry), mistakes, own: own.entries.length }
}

type FolderRead = { entries: PlacedEntry[]; mistakes: ScenarioMistake[] }

const readFolder = (folder: string, checkShape?: CheckAgainstSchema): FolderRead => {
  const reads = filesOf(folder).map(file => readScenarioFile(shown(file), checkShape))
  return { entries: reads.flatMap(({ entries }) => entries), mistakes: reads.flatMap(({ mistakes }) => mistakes) }
}

const filesOf = (folder: string): string[] => {
  if (!isFolder(folder))
    throw new StartError(`There is no folder ${folder}: name the one where your scenario files are.`)
  const files = readdirSync(folder).filter(name => /\.ya?ml$/.test(name) && !isFolder(join(folder, name)))
  if (files.length === 0)
    throw new StartError(`${folder} has no scenario file: add one with a name that ends in .yaml.`)
  return files.sort().map(name => join(folder, name))
}

const UNREAD = 'This is not read: move it into the folder itself, with a name that ends in .yaml, or out of it.'

/** Finds YAML files of a folder that are not read: in folders of it, hidden ones apart, or by another case of the name. */
const unreadFilesOf = (folder: string): ScenarioMistake[] =>
  readdirSync(folder)
    .flatMap(name => (isFolder(join(folder, name)) ? filesWithin(folder, name) : /\.ya?ml$/.test(name) ? [] : [name]))
    .filter(name => /\.ya?ml$/i.test(name) && !/(^|[\\/])[.]/.test(name) && !isFolder(join(folder, name)))
    .sort()
    .map(name => ({ file: shown(join(folder, name)), line: 1, column: 1, sentence: UNREAD }))

/** Paths of everything within a folder of the folder; none where it may not be read. */
const filesWithin = (folder: string, name: string): string[] => {
  try {
    return readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map(one => join(name, one))
  } catch {
    return []
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Returns the path of a file for messages: relative to the working directory if the file is inside. */
const shown = (file: string): string => {
  const path = relative('', file)
  return path.startsWith('..') ? resolve(file) : path
}

/** Finds the mistakes of scenario entries whose name or magic number an earlier entry has. */
const duplicates = (entries: readonly PlacedEntry[], member: 'name' | 'magic'): ScenarioMistake[] => {
  const owners = new Map<string, PlacedEntry>()
  return entries.flatMap(placed => {
    const value = placed.entry[member]
    const owner = value === undefined ? undefined : owners.get(value)
    if (value !== undefined && !owner) owners.set(value, placed)
    if (!owner) return []
    const { file, line } = owner.at(member, '')
    const whose = member === 'magic' ? ` of ${owner.entry.name}` : ''
    return [placed.at(member, `${member} ${value} is also that${whose} at ${file}:${line}: choose another one.`)]
  })
}

const fromPlacedEntry = ({ entry }: PlacedEntry): Scenario => toScenario(entry)

/** Formats a mistake as one line, `file:line:column: sentence`, that editors can follow. */
export const formatMistake = ({ file, line, column, sentence }: ScenarioMistake): string =>
  `${file}:${line}:${column}: ${sentence}`

const toStartMessage = (mistakes: readonly ScenarioMistake[], folder: string): string => {
  const more = mistakes.length - MAX_LISTED
  const rest = more > 0 ? [`There are ${more} more: "assay scenarios ${shellWord(folder)}" lists them all.`] : []
  return [...mistakes.slice(0, MAX_LISTED).map(formatMistake), ...rest].join('\n')
}

const lazy = (create: () => ScenarioCatalogue): ScenarioCatalogue => {
  let catalogue: ScenarioCatalogue | undefined
  const ready = (): ScenarioCatalogue => {
    catalogue ??= create()
    return catalogue
  }
  return {
    get all() {
      return ready().all
    },
    find: name => ready().find(name),
    byMagic: digits => ready().byMagic(digits),
    nearest: name => ready().nearest(name),
  }
}
