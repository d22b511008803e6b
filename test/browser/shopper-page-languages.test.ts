import { describe, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { BLIK } from '../../hosted-pages/texts/blik.ts'
import { FRAME } from '../../hosted-pages/texts/frame-and-landing-page.ts'
import { IRIS } from '../../hosted-pages/texts/iris.ts'
import { LANGUAGES, type Sentence } from '../../hosted-pages/texts/languages.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { shopperPageAddresses } from './shopper-page-addresses.ts'

const fake = createFakeShopperFeatures()
const pages = createPages(fake.features)
const phone = await fake.phone()
fake.keep(phone.phoneId)

const read = async (path: string, wishes?: string) => {
  const headers: Record<string, string> = wishes === undefined ? {} : { 'Accept-Language': wishes }
  const text = await (await pages.request(path, { headers })).text()
  return { text, language: /<html lang="(\w+)"/.exec(text)?.[1] }
}

describe('2.4: the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['pl', 'pl'],
    ['pl-PL,pl;q=0.9,en;q=0.8', 'pl'],
    ['EL-gr', 'el'],
    ['en;q=0.5, el;q=0.7', 'el'],
    ['de-DE, pl;q=0.3', 'pl'],
    ['pl;q=0', 'en'],
    ['de, fr;q=0.9', 'en'],
    ['*', 'en'],
    ['polish', 'en'],
    [`pl;q=${'9'.repeat(5_000)}, ;;,,=`, 'pl'],
  ])('is the browser’s preference among the three, else English: %s', async (wishes, language) => {
    expect((await read('/', wishes)).language).toBe(language)
  })

  test.each(LANGUAGES)('is the same on every page: %s', async wish => {
    for (const [name, path] of await shopperPageAddresses(fake))
      expect((await read(path, wish)).language, name).toBe(wish)
  })

  test.each([
    ['pl-PL', 'pl'],
    ['el_GR', 'el'],
    ['EN', 'en'],
    ['de-DE', 'el'],
    ['', 'el'],
  ])('is the payment’s locale first, if supported: %s', async (locale, language) => {
    const { code, codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId: phone.phoneId })
    fake.push(code, { locale })
    const banks = fake.redirect({ locale })
    for (const path of [`${phone.path}/codes/${codeId}`, banks])
      expect((await read(path, 'el')).language).toBe(language)
  })
})

test('amounts and dates are formatted by the language', async () => {
  const { code, codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId: phone.phoneId })
  fake.push(code, { amount: 1_234_567 })
  const written = async (wish: string) => {
    const amount = /data-testid="blik-amount">([^<]+)</.exec((await read(`${phone.path}/codes/${codeId}`, wish)).text)
    const since = /<small>([^<]+)</.exec((await read(phone.path, wish)).text)
    return [amount?.[1], since?.[1]].map(text => text?.replaceAll(/[\u00a0\u202f]/g, ' '))
  }
  expect(await written('en')).toEqual(['PLN 12,345.67', 'Since March 2, 2026, as customer reader-7'])
  expect(await written('pl')).toEqual(['12 345,67 zł', 'Od 2 marca 2026, numer klienta reader-7'])
  expect(await written('el')).toEqual(['12.345,67 PLN', 'Από 2 Μαρτίου 2026, αριθμός πελάτη reader-7'])
})

describe('the tables of sentences', () => {
  const tables: Record<string, Sentence>[] = [FRAME, BLIK, IRIS]
  const sentences = tables.flatMap(table => Object.entries(table))

  test('have unique names', () => {
    const names = sentences.map(([name]) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('have a text in each language, with the same placeholders', () => {
    const slots = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()
    const lame = sentences.filter(
      ([, { en, pl, el }]) =>
        !(en.trim() && pl.trim() && el.trim()) || slots(en) !== slots(pl) || slots(en) !== slots(el),
    )
    expect(lame).toEqual([])
  })

  test('have Greek letters in Greek texts only', () => {
    const greek = /\p{Script=Greek}/u
    expect(sentences.filter(([, { en, pl }]) => greek.test(en + pl))).toEqual([])
    expect(sentences.filter(([, { en, el }]) => el !== en && /[a-z]/.test(el) && !greek.test(el))).toEqual([])
  })
})
