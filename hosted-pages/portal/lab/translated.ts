import type { Language } from '../../texts/sentence.ts'

/** A sentence in the languages beside English: the English one comes with what it is about. */
export type Translated = Readonly<Record<Exclude<Language, 'en'>, string>>
