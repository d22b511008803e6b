import { globSync } from 'node:fs'
import { ROOT, read } from '../tidy/sources.ts'

/** Every page that people read, by path from the root. */
export const PAGES = globSync(['*.md', '{docs,contracts,scenarios,examples}/**/*.md'], { cwd: ROOT }).sort()

/** One command of a page, as a shell would split it. */
export type Command = { page: string; words: readonly string[] }

/** The blocks of a page that a shell is to run, with continued lines joined. */
export const shellBlocks = (page: string): string[] =>
  [...read(page).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, , block = '']) => block.replace(/\\\n\s*/g, ' '))

/** Commands of ours that stand in running text, such as `assay seed --days 7`. */
const inText = (page: string): string[] =>
  [...read(page).matchAll(/`((?:npx )?assay [a-z][^`]*|npm (?:run|test)[^`]*)`/g)].map(([, line = '']) => line)

/** Every single command of the blocks and of the text. */
export const commandsOf = (page: string): Command[] =>
  [...shellBlocks(page).flatMap(block => block.split('\n')), ...inText(page)]
    .flatMap(line => line.replace(/(^|\s)#.*$/, '').split(/\s*(?:&&|\|\||[|;])\s*/))
    .map(text => ({ page, words: wordsOf(text) }))
    .filter(({ words }) => words.length > 0)

const wordsOf = (text: string): string[] =>
  Array.from(text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) => word.replace(/['"]/g, '')).filter(
    (word, index, all) => !(index === 0 && /^\w+=/.test(word)) && !(word === 'npx' && index === 0 && all.length > 1),
  )

export type Link = { page: string; target: string; anchor: string | undefined }

/** Where a page leads inside the project. */
export const linksOf = (page: string): Link[] =>
  [...read(page).matchAll(/\]\(<?([^)>\s]+)>?\)/g)].flatMap(([, link = '']) => {
    if (/^\w+:/.test(link)) return []
    const [target = '', anchor] = link.split('#')
    return [{ page, target, anchor }]
  })

/** The anchors that a page has, as GitHub makes them of its headings. */
export const anchorsOf = (page: string): string[] =>
  Array.from(read(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
