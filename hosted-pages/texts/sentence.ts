/** A sentence in every language that the pages speak. `{name}` is filled in when it is said. */
export type Sentence = Record<Language, string>

export const LANGUAGES = ['en', 'pl', 'el'] as const
export type Language = (typeof LANGUAGES)[number]
