import type { Say } from '../../texts.ts'
import { CAUSES_OF_BASE } from './causes-of-base.ts'
import { CAUSES_OF_HEADERS } from './causes-of-headers.ts'
import { CAUSES_OF_VALUES } from './causes-of-values.ts'
import { LAB_CURES } from './cures.ts'
import type { FindingView } from './lab-port.ts'
import type { Translated } from './translated.ts'

/** Every cause in the languages beside English. */
export const LAB_CAUSES: Readonly<Record<string, Translated>> = {
  ...CAUSES_OF_HEADERS,
  ...CAUSES_OF_VALUES,
  ...CAUSES_OF_BASE,
}

/** The fact of a finding, in the language of the page. */
export const causeIn = ({ language }: Say, { cause, sentence, values }: FindingView): string =>
  language === 'en' ? sentence : fill(LAB_CAUSES[cause]?.[language] ?? sentence, values)

/** What helps against it. */
export const cureIn = ({ language }: Say, { part, cure, values }: FindingView): string =>
  language === 'en' ? cure : fill(LAB_CURES[part]?.[language] ?? cure, values)

const fill = (text: string, values: FindingView['values']): string =>
  text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
