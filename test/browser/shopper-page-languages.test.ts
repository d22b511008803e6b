import { describe, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { BLIK } from '../../hosted-pages/texts/blik.ts'
import { FRAME } from '../../hosted-pages/texts/frame-and-landing-page.ts'
import { IRIS } from '../../hosted-pages/texts/iris.ts'
import { LANGUAGES, type Sentence } from '../../hosted-pages/texts/languages.ts'
import { SHOP } from '../../hosted-pages/texts/shop.ts'
import { ControlError } from '../../simulator/support/control-error.ts'
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
    return [amount?.[1], since?.[1]].map(plain)
  }
  expect(await written('en')).toEqual(['PLN 12,345.67', 'Since 2 March 2026, known to the shop as reader-7'])
  expect(await written('pl')).toEqual(['12 345,67 zł', 'Od 2 marca 2026, identyfikator w sklepie: reader-7'])
  expect(await written('el')).toEqual(['12.345,67 PLN', 'Από 2 Μαρτίου 2026, αναγνωριστικό στο κατάστημα: reader-7'])
})

const plain = (text = '') => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test.each([
  ['en', '2 Mar 2026, 09:30 UTC', '0.5 × as fast', 'certificate at http://localhost:8081, token'],
  ['pl', '2 mar 2026, 09:30 UTC', 'tempo × 0,5', 'certyfikat pod adresem http://localhost:8081, token'],
  ['el', '2 Μαρ 2026, 9:30 π.μ. UTC', 'ρυθμός × 0,5', 'πιστοποιητικό στο http://localhost:8081, token'],
])('times, rates of clocks and disabled layers are in the language: %s', async (language, time, rate, layers) => {
  const createdAt = Date.parse('2026-03-02T09:30:00Z')
  const { path, codeId } = await pushed({ outcome: 'approved', createdAt })
  const landing = createPages({ ...fake.features, rate: () => 0.5 })
  const text = plain(await (await landing.request('/', { headers: { 'Accept-Language': language } })).text())
  expect(text).toContain(`>${rate}</span>`)
  expect(text).toContain(`</b> ${layers}.`)
  const home = plain((await read(path, language)).text)
  expect(home).toMatch(new RegExp(`${codeId}.*<small>${time} · `))
})

/** A phone to which a payment was pushed. */
const pushed = async (about: Parameters<typeof fake.push>[1]) => {
  const { phoneId, path } = await fake.phone()
  const { code, codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId })
  fake.push(code, about)
  return { path, codeId, screen: `${path}/codes/${codeId}` }
}

describe('a text fits its place', () => {
  test('a request without an amount says so in full where it is decided, else in short', async () => {
    const asked = await pushed({ transactionType: 'TOKEN_ONLY' })
    expect((await read(asked.screen)).text).toContain('data-testid="blik-amount">Nothing is paid now<')
    expect((await read(asked.path)).text).toContain('<p class="amount">No payment</p>')
    const ended = await pushed({ transactionType: 'TOKEN_ONLY', outcome: 'declined' })
    expect((await read(ended.screen)).text).toContain('data-testid="blik-amount">No payment<')
    expect((await read(ended.path)).text).toContain('<b class="sum">No payment</b>')
  })

  test('a payment at work is neither to be approved nor has its shopper time left', async () => {
    const confirmed = { answeredAt: fake.now() + 40_000 }
    const [asked, atWork] = [await pushed({}), await pushed(confirmed)]
    const own = (phoneId = '') =>
      pages.request('/blik/demo-merchant', { headers: { cookie: `assay-phone=${phoneId}` } })
    for (const [{ path, screen }, heading, label] of [
      [asked, 'To approve', 'Time left to decide'],
      [atWork, 'Your bank is at work', 'Time left for the bank'],
    ] as const) {
      const home = (await read(path)).text
      expect(home.match(/<h1 [^>]*>[^<]+/g)?.map(text => text.replace(/.*>/, ''))).toEqual([heading])
      expect(home).toContain(`>${label}</span>`)
      expect((await read(screen)).text).toContain(`>${label}</span>`)
      expect(plain(await (await own(path.split('/').at(-1))).text())).toContain(`${heading}: PLN 129.99<`)
    }
    expect((await read(fake.redirect())).text).toContain('>Time left to pay</span>')
    expect((await read(fake.redirect(confirmed))).text).toContain('>Time left for the bank</span>')
  })

  test.each([
    [12_999, 'paid back<', 'refunded'],
    [12_998, 'paid back in part<', 'refunded-in-part'],
  ])('a refund of %i of 12999', async (refunded, text, look) => {
    const home = (await read((await pushed({ outcome: 'approved', refunded })).path)).text
    expect(home).toContain(text)
    expect(home).toContain(`data-testid="blik-payment" data-outcome="${look}"`)
  })

  test('an approved payment that the shop cancelled', async () => {
    const { path, screen } = await pushed({ outcome: 'approved', released: 'canceled' })
    const home = (await read(path)).text
    expect(home).toContain('cancelled by the shop<')
    expect(home).toContain('data-testid="blik-payment" data-outcome="canceled"')
    expect((await read(screen)).text).toContain('>Payment approved<')
  })

  test('an approved payment that the shop let expire', async () => {
    const home = (await read((await pushed({ outcome: 'approved', released: 'uncollected' })).path)).text
    expect(home).toContain('not collected by the shop<')
    expect(home).toContain('data-testid="blik-payment" data-outcome="expired"')
  })

  test('a consent whose payment the shop cancelled keeps no shop', async () => {
    const { screen } = await pushed({ outcome: 'approved', released: 'canceled', transactionType: 'TOKEN_ONLY' })
    expect((await read(screen)).text).toContain('The shop is not kept.')
  })

  test.each([
    ['waiting', 'Confirm in your bank app'],
    ['at-bank', 'Confirm at your bank'],
  ])('an order of the shop that is %s', async (order, title) => {
    const { text } = await read(`/shop/demo-merchant/key/orders/${order}`)
    expect(text).toContain(`data-state="waiting">${title}<`)
    expect(text).toContain('<dt>Item</dt>')
  })

  test.each(LANGUAGES)('too many phones, and too many codes, are a page: %s', async language => {
    const full = async () => {
      throw new ControlError('conflict', 'There are so many.')
    }
    const { phones, shopper } = fake.features
    const overfull = {
      phones: createPages({ ...fake.features, phones: { ...phones, create: full } }),
      codes: createPages({ ...fake.features, shopper: { ...shopper, createCode: full } }),
    }
    for (const [what, path, title] of [
      ['phones', '/blik/demo-merchant/phones', FRAME.tooManyPhonesTitle],
      ['phones', '/shop/stage', FRAME.tooManyPhonesTitle],
      ['codes', `${phone.path}/codes`, FRAME.tooManyCodesTitle],
      ['codes', '/shop/stage', FRAME.tooManyCodesTitle],
    ] as const) {
      const body = new URLSearchParams({ bank: 'modrzew' })
      const asked = { method: 'POST', body, headers: { 'Accept-Language': language } }
      const answer = await overfull[what].request(path, asked)
      expect([answer.status, await answer.text()]).toEqual([
        429,
        expect.stringContaining(`<h1>${title[language]}</h1>`),
      ])
    }
  })
})

describe('the tables of sentences', () => {
  const tables: Record<string, Sentence>[] = [FRAME, BLIK, IRIS, SHOP]
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
