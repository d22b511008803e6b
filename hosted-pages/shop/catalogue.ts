import type { Language } from '../texts/languages.ts'

type Words = Readonly<Record<Language, string>>

/** A product of an invented shop: prices in minor units, grosz for BLIK and cent for IRIS. */
export type Product = { id: string; zloty: number; cents: number; name: Words; note: Words }

/** Catalogue of an invented demo shop: its products, and how it presents itself. */
export type Catalogue = { theme: string; headline: Words; lead: Words; products: readonly Product[] }

// biome-ignore format: a table reads by its columns
const HONEY: Catalogue = {
  theme: 'honey',
  headline: { en: 'Honey from small hives', pl: 'Miód z małych pasiek', el: 'Μέλι από μικρά μελίσσια' },
  lead: {
    en: 'Gathered by the river, filled by hand, sent the same day.',
    pl: 'Zbierany nad rzeką, nalewany ręcznie, wysyłany tego samego dnia.',
    el: 'Από τις όχθες του ποταμού, σε βάζα με το χέρι, αποστολή αυθημερόν.',
  },
  products: [
    { id: 'jar',    zloty: 3_490, cents: 820,   name: { en: 'Linden honey', pl: 'Miód lipowy', el: 'Μέλι φλαμουριάς' },
      note: { en: 'Jar of 400 g', pl: 'Słoik 400 g', el: 'Βάζο 400 γρ.' } },
    { id: 'candle', zloty: 2_450, cents: 580,   name: { en: 'Beeswax candle', pl: 'Świeca z wosku pszczelego', el: 'Κερί από μελισσοκέρι' },
      note: { en: 'Burns for 30 hours', pl: 'Pali się 30 godzin', el: 'Καίει 30 ώρες' } },
    { id: 'box',    zloty: 8_900, cents: 2_090, name: { en: 'Tasting box', pl: 'Skrzynka degustacyjna', el: 'Κουτί γευσιγνωσίας' },
      note: { en: 'Six small jars', pl: 'Sześć małych słoików', el: 'Έξι μικρά βάζα' } },
  ],
}

// biome-ignore format: a table reads by its columns
const COFFEE: Catalogue = {
  theme: 'coffee',
  headline: { en: 'Coffee, roasted on Tuesdays', pl: 'Kawa palona we wtorki', el: 'Καφές, καβουρδισμένος κάθε Τρίτη' },
  lead: {
    en: 'Small batches, clear origins, at your door on Thursday.',
    pl: 'Małe partie, znane pochodzenie, u Ciebie w czwartek.',
    el: 'Μικρές ποσότητες, γνωστή προέλευση, στην πόρτα σας την Πέμπτη.',
  },
  products: [
    { id: 'beans', zloty: 3_990,  cents: 940,   name: { en: 'House blend', pl: 'Mieszanka domowa', el: 'Χαρμάνι του σπιτιού' },
      note: { en: 'Bag of 250 g', pl: 'Torebka 250 g', el: 'Σακουλάκι 250 γρ.' } },
    { id: 'cup',   zloty: 5_400,  cents: 1_270, name: { en: 'Clay cup', pl: 'Gliniany kubek', el: 'Πήλινη κούπα' },
      note: { en: 'Turned by hand', pl: 'Toczony ręcznie', el: 'Χειροποίητη' } },
    { id: 'dripper', zloty: 12_900, cents: 3_050, name: { en: 'Pour-over set', pl: 'Zestaw do kawy przelewowej', el: 'Σετ φίλτρου' },
      note: { en: 'Dripper and jug', pl: 'Dripper i dzbanek', el: 'Φίλτρο και κανάτα' } },
  ],
}

const CATALOGUES = [HONEY, COFFEE] as const

/** Returns the catalogue of an organization's shop: the same one at every visit. */
export const catalogueOf = (organizationId: string): Catalogue => {
  const sum = Array.from(organizationId).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return CATALOGUES[sum % CATALOGUES.length] ?? HONEY
}
