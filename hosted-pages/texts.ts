import { PORTAL } from './portal/texts.ts'
import { BLIK } from './texts/blik.ts'
import { FRAME } from './texts/frame.ts'
import { IRIS } from './texts/iris.ts'
import type { Language } from './texts/sentence.ts'

/** Every sentence that a person reads on the pages, one table for each part of them. */
const TEXTS = { ...FRAME, ...BLIK, ...IRIS, ...PORTAL }

export type { Language } from './texts/sentence.ts'
export type TextKey = keyof typeof TEXTS
export type Say = { language: Language; (key: TextKey, values?: Record<string, string>): string }

/** Speaks one language: every view is given this and holds no sentence of its own. */
export function speak(language: Language): Say {
  const say = (key: TextKey, values: Record<string, string> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  return Object.assign(say, { language })
}
