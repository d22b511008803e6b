import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { languageIn } from './appearance-cookies.ts'
import { type Say, speak } from './text-lookup-by-language.ts'
import { LANGUAGES, type Language, languageOf } from './texts/languages.ts'

/**
 * Returns the function that gives the texts of a shopper's page in the language of a request: the one that the person
 * has chosen, else the payment's (2.4), else the browser's, else English.
 */
export const sayFor = (c: Context, locale = ''): Say =>
  speak(languageIn(c) ?? languageOf(locale) ?? preferredLanguage(c))

const preferredLanguage = (c: Context): Language => {
  const preferred = accepts(c, {
    header: 'Accept-Language',
    supports: [...LANGUAGES],
    default: 'en',
    match: accepted => accepted.find(({ type, q }) => q > 0 && languageOf(type))?.type ?? 'en',
  })
  return languageOf(preferred) ?? 'en'
}
