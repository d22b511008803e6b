import type { Language } from './text-lookup-by-language.ts'

/** Formats an amount in minor units exactly: the decimal point is moved in the text, not by division. */
export function money(amount: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(`${amount}E-${digits}` as `${number}`)
}

/** Formats the day of an instant, in UTC as all times of the pages. */
export const date = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)

/** Formats the day and minute of an instant, in UTC. */
export const shortDate = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)
