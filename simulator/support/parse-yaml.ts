import { parseDocument } from 'yaml'

/**
 * Parses the text of a YAML file. Throws an Error whose message is one line, also for what the library only warns of, such
 * as a tag that nobody knows.
 */
export const parseYaml = (text: string): unknown => {
  const document = parseDocument(text)
  const [broken] = [...document.errors, ...document.warnings]
  if (broken) throw new Error(firstLine(broken.message))
  try {
    return document.toJS()
  } catch (error) {
    throw new Error(firstLine((error as Error).message)) // an alias of nothing, or without end
  }
}

const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/[.:]$/, '')
