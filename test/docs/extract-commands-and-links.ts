import { globSync } from 'node:fs'
import { ROOT, readSource } from '../architecture/read-source-files.ts'

/** Paths of all documentation pages, from the root. */
export const DOCUMENTATION_PAGES = globSync(['*.md', '{docs,contracts,scenarios,examples}/**/*.md'], {
  cwd: ROOT,
}).sort()

/** A command on a documentation page, split into words as a shell does. */
export type Command = { page: string; words: readonly string[] }

/** Extracts the shell code blocks of a documentation page, with continued lines joined. */
export const shellBlocks = (page: string): string[] =>
  [...readSource(page).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, , block = '']) =>
    block.replace(/\\\n\s*/g, ' '),
  )

/** Commands of ours that stand in running text, such as `assay seed --days 7`. */
const inText = (page: string): string[] =>
  [
    ...readSource(page).matchAll(/`((?:npx @assay-sandbox\/|bin\/)?assay(?:\.js)? [a-z][^`]*|npm (?:run|test)[^`]*)`/g),
  ].map(([, line = '']) => line)

/** Extracts all commands in code blocks and text of a documentation page. */
export const commandsOf = (page: string): Command[] =>
  [...shellBlocks(page).flatMap(block => block.split('\n')), ...inText(page)]
    .flatMap(line => line.replace(/(^|\s)#.*$/, '').split(/\s*(?:&&|\|\||[|;])\s*/))
    .map(text => ({ page, words: wordsOf(text) }))
    .filter(({ words }) => words.length > 0)

/** How the command is typed in a project that has the package, and in a clone. */
const TYPED = /^(npx @assay-sandbox\/assay|bin\/assay\.js)(?= |$)/

const wordsOf = (text: string): string[] =>
  Array.from(text.replace(TYPED, 'assay').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word.replace(/['"]/g, ''),
  ).filter(
    (word, index, all) => !(index === 0 && /^\w+=/.test(word)) && !(word === 'npx' && index === 0 && all.length > 1),
  )

export type Link = { page: string; target: string; anchor: string | undefined }

/** Extracts the links of a documentation page to files of the project. */
export const linksOf = (page: string): Link[] =>
  [...readSource(page).matchAll(/\]\(<?([^)>\s]+)>?\)/g)].flatMap(([, link = '']) => {
    if (/^\w+:/.test(link)) return []
    const [target = '', anchor] = link.split('#')
    return [{ page, target, anchor }]
  })

/** Returns the heading anchors of a documentation page, as GitHub generates them. */
export const anchorsOf = (page: string): string[] =>
  Array.from(readSource(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
