import type { Language } from './text-lookup-by-language.ts'

/** The locale by which numbers and dates are written: the English of the pages is British. */
const LOCALES = { en: 'en-GB', pl: 'pl', el: 'el' } as const satisfies Record<Language, string>

/** Formats an amount in minor units exactly: the decimal point is moved in the text, not by division. */
export function money(amount: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(`${amount}E-${digits}` as `${number}`)
}

/** Formats the day of an instant, in UTC as all times of the pages. */
export const date = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at)

/** Formats the day and minute of an instant, in UTC and marked so. */
export const shortDate = (at: number, language: Language): string =>
  `${new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

/** Formats a number with all its decimals. */
export const decimal = (value: number, language: Language): string =>
  new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 20 }).format(value)
