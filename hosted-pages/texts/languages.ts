/** A text in every language of the shopper's pages; slots such as `{name}` are filled in when it is used. */
export type Sentence = Record<Language, string>

export const LANGUAGES = ['en', 'pl', 'el'] as const
export type Language = (typeof LANGUAGES)[number]

/** Returns the language of a language tag, without its region: `pl-PL` is Polish. */
export const languageOf = (tag: string): Language | undefined =>
  LANGUAGES.find(language => language === tag.split(/[-_]/, 1)[0]?.toLowerCase())
