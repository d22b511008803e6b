import type { Language } from './texts.ts'

/** Writes minor units as people read them, exactly: the decimal point is moved in text, not by division. */
export function money(amount: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(`${amount}E-${digits}` as `${number}`)
}
