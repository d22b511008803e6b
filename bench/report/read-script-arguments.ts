import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * Reads the arguments of an npm script of this project, as `parseArgs` of Node does. A wrong one ends the process with
 * one sentence and exit code 2.
 */
export const readScriptArguments = <const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    const known = Object.keys(config.options ?? {}).map(name => `--${name}`)
    return refuse(`${(error as Error).message.split('. ')[0]}: this script knows ${known.join(', ') || 'no options'}.`)
  }
}

/** Reads the words of an npm script that takes no options, up to a number of them; more end the process with the usage. */
export const readScriptWords = (most: number, usage: string): string[] => {
  const { positionals } = readScriptArguments({ options: {}, allowPositionals: true })
  return positionals.length > most ? refuse(usage) : positionals
}

/**
 * Chooses the names that begin with one of the words of an npm script, all without a word. A word that begins none ends
 * the process.
 */
export const chooseByBeginnings = (names: readonly string[]): string[] => {
  const words = readScriptWords(Number.POSITIVE_INFINITY, '')
  const wrong = words.find(word => !names.some(name => name.startsWith(word)))
  if (wrong !== undefined) return refuse(`No name begins with "${wrong}": this script knows ${names.join(', ')}.`)
  return names.filter(name => words.length === 0 || words.some(word => name.startsWith(word)))
}

const MOST = 999_999_999

/** Reads a whole number of an npm script; any other text ends the process. */
export const readScriptNumber = (name: string, text: string, least = 1, most = MOST): number => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most
    ? number
    : refuse(`${name} is "${text}": give a whole number from ${least} to ${most}.`)
}

/** Reads a number above 0 of an npm script, such as 0.5 minutes; any other text ends the process. */
export const readScriptAmount = (name: string, text: string): number =>
  /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0
    ? Number(text)
    : refuse(`${name} is "${text}": give a number above 0, up to ${MOST}.`)

/** Reads names of an npm script, separated by commas; one that is not known ends the process. */
export const readScriptNames = <const Name extends string>(
  option: string,
  text: string,
  known: readonly Name[],
): Name[] => {
  const names = text.split(',')
  const wrong = names.find(name => !known.some(one => one === name))
  if (wrong !== undefined) return refuse(`${option} names "${wrong}": give some of ${known.join()}.`)
  return known.filter(name => names.includes(name))
}

/** Ends an npm script that can do nothing with its arguments: one sentence, exit code 2. */
export const refuse = (sentence: string): never => {
  console.error(sentence)
  return process.exit(2)
}
