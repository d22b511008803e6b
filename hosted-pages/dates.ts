import type { Language } from './texts.ts'

/** A day as people write it; in UTC, as every clock of the pages. */
export const date = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
