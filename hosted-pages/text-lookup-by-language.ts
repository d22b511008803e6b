import { BLIK } from './texts/blik.ts'
import { FRAME } from './texts/frame-and-landing-page.ts'
import { IRIS } from './texts/iris.ts'
import type { Language } from './texts/languages.ts'
import { SHOP } from './texts/shop.ts'

/** Every text of the landing page and of the shopper's pages, in three languages. */
const TEXTS = { ...FRAME, ...BLIK, ...IRIS, ...SHOP }

export type { Language } from './texts/languages.ts'
export type TextKey = keyof typeof TEXTS
export type Say = { language: Language; (key: TextKey, values?: Record<string, string>): string }

/**
 * Creates the function that returns a text of the hosted pages in one language by its key, with its slots filled in.
 */
export function speak(language: Language): Say {
  const say = (key: TextKey, values: Record<string, string> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  return Object.assign(say, { language })
}

/**
 * Function that returns a text of the hosted pages in English by its key, for the portal, which has no other language.
 */
export const english = speak('en')
