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
    console.error(`${(error as Error).message.split('. ')[0]}: this script knows ${known.join(', ')}.`)
    return process.exit(2)
  }
}
