/** A table of Markdown: its head, then its rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** A name as it stands in code. */
export const code = (text: string): string => `\`${text}\``
