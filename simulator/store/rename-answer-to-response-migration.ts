/** Texts of stored JSON by their present ones: an answer over HTTP is called a response since. */
const RENAMED = [
  ['"answer":{"status":', '"response":{"status":'],
  ['"before-answer"', '"before-response"'],
] as const

const COLUMNS = [
  ['delivery_attempts', 'record'],
  ['delivery_plans', 'record'],
  ['messages', 'variation'],
  ['snapshots', 'document'],
] as const

/** JSON within JSON, as rows in a snapshot are, has a backslash before each quote. */
const escaped = (text: string): string => text.replaceAll('"', '\\"')

/** Migration of both stores: SQL that renames members and words of stored deliveries, plans and snapshots. */
export const RENAME_RESPONSES = COLUMNS.flatMap(([table, column]) =>
  RENAMED.map(texts => (table === 'snapshots' ? texts.map(escaped) : texts)).map(
    ([old, now]) =>
      `UPDATE ${table} SET ${column} = replace(${column}, '${old}', '${now}') WHERE ${column} LIKE '%answer%'`,
  ),
).join(';\n')
