/** Texts of stored JSON by their present ones: an answer over HTTP is called a response since. */
const RENAMED = [
  ['"answer":{"status":', '"response":{"status":'],
  ['"before-answer"', '"before-response"'],
] as const

/** Columns that hold such texts, by table. */
export const RENAMED_COLUMNS: Readonly<Record<string, string>> = {
  delivery_attempts: 'record',
  delivery_plans: 'record',
  messages: 'variation',
}

/**
 * Migration of both stores: SQL that renames members and words of stored deliveries and plans. Those of a snapshot are
 * renamed when it is read, as its digest covers the earlier ones.
 */
export const RENAME_RESPONSES = Object.entries(RENAMED_COLUMNS)
  .flatMap(([table, column]) =>
    RENAMED.map(
      ([old, now]) =>
        `UPDATE ${table} SET ${column} = replace(${column}, '${old}', '${now}') WHERE ${column} LIKE '%answer%'`,
    ),
  )
  .join(';\n')

/** Renames members and words in the JSON text of a cell as the migration does. */
export const renameResponses = (text: string): string =>
  RENAMED.reduce((renamed, [old, now]) => renamed.replaceAll(old, now), text)
