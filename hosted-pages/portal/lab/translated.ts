import type { Language } from '../../texts/sentence.ts'

/** A sentence of the lab in the languages beside English: the English one comes with the diagnosis. */
export type Translated = Readonly<Record<Exclude<Language, 'en'>, string>>
