/** Formats a head and rows as a Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Formats a text as a Markdown code span. */
export const code = (text: string): string => `\`${text}\``
