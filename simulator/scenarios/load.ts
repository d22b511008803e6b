import { readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../start-error.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import type { CheckShape } from './check-shape.ts'
import { scenarioOf } from './entry.ts'
import { type Mistake, type PlacedEntry, readScenarioFile } from './read-file.ts'
import type { Scenario } from './scenario.ts'

/** Where the scenarios are that come with the package. */
export const BUILT_IN = fileURLToPath(new URL('../../scenarios', import.meta.url))

/** Nobody mends more mistakes than these at a time. */
const MOST_TOLD = 5

/**
 * All scenarios: the built-in ones and those of a folder of one's own, of which one replaces the built-in one of its
 * name. Without a folder nothing is read before it is asked for; the built-in files are trusted, a folder never is.
 * Throws StartError with the first mistakes.
 */
export const openCatalogue = async (folder?: string): Promise<Catalogue> => {
  if (folder === undefined) return builtInCatalogue()
  const { scenarios, mistakes } = await checkFolder(folder)
  if (mistakes.length > 0) throw new StartError(told(mistakes, folder))
  return createCatalogue(scenarios)
}

/** The built-in scenarios alone. */
export const builtInCatalogue = (): Catalogue =>
  lazy(() => createCatalogue(readFolder(BUILT_IN).entries.map(toScenario)))

type Checked = { scenarios: Scenario[]; mistakes: Mistake[] /** How many are of the folder. */; own: number }

/** Checks a folder of one's own together with the built-in scenarios, or those alone; throws where there is none. */
export const checkFolder = async (folder?: string): Promise<Checked> => {
  const { createCheckShape } = await import('./check-shape.ts')
  const checkShape = createCheckShape()
  const builtIn = readFolder(BUILT_IN, folder === undefined ? checkShape : undefined)
  const own = folder === undefined ? { entries: [], mistakes: [] } : readFolder(folder, checkShape)
  const names = new Set(own.entries.map(({ entry }) => entry.name))
  const all = [...builtIn.entries.filter(({ entry }) => !names.has(entry.name)), ...own.entries]
  const mistakes = [...builtIn.mistakes, ...own.mistakes, ...doubles(all, 'name'), ...doubles(all, 'magic')]
  return { scenarios: mistakes.length > 0 ? [] : all.map(toScenario), mistakes, own: own.entries.length }
}

type FolderRead = { entries: PlacedEntry[]; mistakes: Mistake[] }

const readFolder = (folder: string, checkShape?: CheckShape): FolderRead => {
  const reads = filesOf(folder).map(file => readScenarioFile(shown(file), checkShape))
  return { entries: reads.flatMap(({ entries }) => entries), mistakes: reads.flatMap(({ mistakes }) => mistakes) }
}

const filesOf = (folder: string): string[] => {
  if (!isFolder(folder))
    throw new StartError(`There is no folder ${folder}: name the one where your scenario files are.`)
  const files = readdirSync(folder).filter(name => /\.ya?ml$/.test(name) && !isFolder(join(folder, name)))
  if (files.length === 0)
    throw new StartError(`${folder} holds no scenario file: put one there whose name ends in .yaml.`)
  return files.sort().map(name => join(folder, name))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** From where the command runs, unless that leads up. */
const shown = (file: string): string => {
  const way = relative('', file)
  return way.startsWith('..') ? resolve(file) : way
}

/** Entries that have what an earlier one has already. */
const doubles = (entries: readonly PlacedEntry[], member: 'name' | 'magic'): Mistake[] => {
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

const toScenario = ({ entry }: PlacedEntry): Scenario => scenarioOf(entry)

/** A mistake as one line that editors can follow. */
export const lineOf = ({ file, line, column, sentence }: Mistake): string => `${file}:${line}:${column}: ${sentence}`

const told = (mistakes: readonly Mistake[], folder: string): string => {
  const more = mistakes.length - MOST_TOLD
  const rest = more > 0 ? [`There are ${more} more: "assay scenarios ${folder}" tells them all.`] : []
  return [...mistakes.slice(0, MOST_TOLD).map(lineOf), ...rest].join('\n')
}

const lazy = (create: () => Catalogue): Catalogue => {
  let catalogue: Catalogue | undefined
  const ready = (): Catalogue => {
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
