import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { LANGUAGES, type Language } from './texts/sentence.ts'
import { type Say, speak } from './texts.ts'

/** Speaks to whoever asks: in the payment's own language (2.4), else in one that the browser prefers, else in English. */
export const sayFor = (c: Context, locale = ''): Say => speak(languageOf(locale) ?? preferred(c))

/** The language of a tag, whatever follows it: `pl-PL` is Polish. */
const languageOf = (tag: string): Language | undefined =>
  LANGUAGES.find(language => language === tag.split(/[-_]/, 1)[0]?.toLowerCase())

const preferred = (c: Context): Language => {
  const wish = accepts(c, {
    header: 'Accept-Language',
    supports: [...LANGUAGES],
    default: 'en',
    match: wishes => wishes.find(({ type, q }) => q > 0 && languageOf(type))?.type ?? 'en',
  })
  return languageOf(wish) ?? 'en'
}
