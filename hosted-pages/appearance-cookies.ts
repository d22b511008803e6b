import type { Context } from 'hono'
import { secureAt } from './secure-cookies.ts'
import { LANGUAGES, type Language } from './texts/languages.ts'

/** Themes that a person may choose: the first follows the system. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Returns the theme that a browser has chosen, by its cookie; else that of the system. */
export const themeIn = (c: Context): Theme => THEMES.find(theme => theme === chosen(c, 'theme')) ?? 'system'

/** Returns the language that a person has chosen for the shopper's pages, by the browser's cookie; undefined without. */
export const languageIn = (c: Context): Language | undefined =>
  LANGUAGES.find(language => language === chosen(c, 'language'))

/** Returns the Set-Cookie value that keeps a choice for a year; a bank of another site that leads here finds it too. */
export const appearanceCookie = (
  name: 'theme' | 'language',
  value: Theme | Language,
  pagesUrl: string | undefined,
): string => `assay-${name}=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secureAt(pagesUrl)}`

const chosen = (c: Context, name: 'theme' | 'language'): string | undefined =>
  (c.req.header('cookie') ?? '')
    .split(/; */)
    .find(pair => pair.startsWith(`assay-${name}=`))
    ?.slice(`assay-${name}=`.length)
