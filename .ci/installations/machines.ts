import type { Row } from './cell.ts'

export const MACHINES = {
  title: 'Other machines',
  about: 'What no run of this script has tried yet.',
  headings: ['Machine', 'a first payment'],
}

const SENTENCES: readonly (readonly [machine: string, sentence: string])[] = [
  ['Linux on arm64', '"npm ci" brings Node for arm64, and "npm run release" builds its image'],
  [
    'Alpine Linux',
    '"npm start" needs a Node 22.18 or later of its own there, as the one that "npm ci" brings needs glibc',
  ],
  ['macOS', 'a clone needs Node 22.18 or later installed, the package 22.14'],
  ['Windows', 'use WSL, which is Linux, or the container'],
]

/** Machines for which there is a sentence and no figure, without the kind that this is. */
export const OTHER_MACHINES: readonly Row[] = SENTENCES.filter(
  ([machine]) => !(machine === 'Linux on arm64' && process.arch === 'arm64'),
).map(([machine, sentence]) => ({ names: [machine], cells: [{ kind: 'not tried', sentence }] }))
