import type { DialectLines } from './dialect-lines.ts'

/** Stage of a profile's `states` by the state of `lifecycle.state` (D-04), and which of its words: of several, part or whole. */
const STAGE_OF_STATE: Readonly<Record<string, readonly [stage: string, word: 'first' | 'last']>> = {
  AWAITING_SHOPPER: ['waiting', 'last'],
  AUTHENTICATED: ['authenticated', 'last'],
  AUTHORIZED: ['authorized', 'last'],
  PARTIALLY_CAPTURED: ['captured', 'first'],
  CAPTURED: ['captured', 'last'],
  SETTLED: ['settled', 'last'],
  DISPUTED: ['settled', 'last'],
  PARTIALLY_REFUNDED: ['refunded', 'first'],
  REFUNDED: ['refunded', 'last'],
  DECLINED: ['declined', 'last'],
  EXPIRED: ['expired', 'last'],
  CANCELED: ['canceled', 'last'],
}

/** Creates the words of states from `states` and `enums.state`; undefined where a dialect has neither. */
export const createStateWords = ({ states, enums }: Pick<DialectLines, 'states' | 'enums'>) => {
  const own = enums?.state ?? {}
  if (!states && !enums?.state) return undefined
  const words = new Map<string, string>(Object.entries(own))
  for (const [state, [stage, which]] of Object.entries(STAGE_OF_STATE)) {
    const word = states?.[stage]?.at(which === 'first' ? 0 : -1)
    if (word !== undefined && !words.has(state)) words.set(state, word)
  }
  const back = new Map<string, string>()
  for (const [state, word] of words) if (back.get(word)?.startsWith('PARTIALLY') ?? true) back.set(word, state)
  return {
    write: (value: unknown): unknown => words.get(String(value)) ?? value,
    read: (value: unknown): unknown => back.get(String(value)) ?? value,
  }
}

/** Returns the words of a stage that are read and never written: those that stand for no state of their own. */
export const wordsOnlyRead = ({ states }: Pick<DialectLines, 'states'>, stage: string): readonly string[] => {
  const words = states?.[stage] ?? []
  const written = Object.values(STAGE_OF_STATE)
    .filter(([name]) => name === stage)
    .map(([, which]) => words.at(which === 'first' ? 0 : -1))
  return words.filter(word => !written.includes(word))
}

/** Whether a word of `states` stands for several stages, so that it tells less than the document's states. */
export const hasCoarseStates = ({ states = {} }: Pick<DialectLines, 'states'>): boolean => {
  const words = Object.values(states).flat()
  return new Set(words).size < words.length
}
