import { type ParseArgsConfig, parseArgs } from 'node:util'
import { hideUserInfo } from './user-info.ts'

/** Parses the arguments of `assay COMMAND`; those that it does not have throw a `Mistake` of one sentence. */
export const parseArguments = <Config extends ParseArgsConfig>(
  command: string,
  config: Config,
  Mistake: new (sentence: string) => Error,
): ReturnType<typeof parseArgs<Config>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Mistake(wrongArgumentsSentence(error, command))
  }
}

/**
 * Returns the error sentence for arguments that `parseArgs` of Node refused: what is wrong, and which help lists the
 * options. A password in an address is not shown.
 */
export const wrongArgumentsSentence = (error: unknown, command: string): string => {
  const [said = ''] = hideUserInfo((error as Error).message).split(/\. |\.?\n/)
  const [, option] = /^Option '(--[^']+)' argument is ambiguous$/.exec(said) ?? []
  const mistake = option
    ? `The value of ${option} is missing or begins with a hyphen, which is written ${option}=VALUE`
    : said
  return `${mistake}: "assay ${command} --help" lists the options.`
}
