import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJournal } from '../../simulator/journal/journal.ts'
import type { JournalEntry } from '../../simulator/journal/journal-entry.ts'
import { maskHeaders, maskSecrets, toJournalBody, toJournalBytes } from '../../simulator/journal/mask-secrets.ts'

const entry = (callId: string, organizationId?: string): JournalEntry => ({
  callId,
  at: '',
  durationMilliseconds: 0,
  ...(organizationId === undefined ? {} : { organizationId }),
  request: { method: 'GET', target: '/', headers: {}, body: '' },
  response: { status: 200, headers: {}, body: '' },
})

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ minLength: 500, maxLength: 3_000 }))
const call = fc
  .record({
    callId: fc.uuid(),
    asked: text,
    told: text,
    header: text,
    sent: fc.option(fc.uint8Array({ maxLength: 50 })),
  })
  .map(({ callId, asked, told, header, sent }) => {
    const plain = entry(callId, 'shop')
    const request = { ...plain.request, headers: { 'x-any': header }, body: asked }
    const kept = { ...plain, request, response: { ...plain.response, body: told } }
    return { kept, sent: Buffer.from(sent ?? asked) }
  })

describe('the journal', () => {
  test('keeps the last calls of each organization, newest first, and those without one separately', () => {
    const journal = createJournal(3)
    for (const name of ['1', '2', '3', '4', '5']) journal.add(entry(name, 'shop'))
    for (const name of ['a', 'b']) journal.add(entry(name))
    const list = (organizationId: string | undefined, limit = 99) =>
      journal.list(organizationId, limit).map(({ callId }) => callId)
    expect(list('shop')).toEqual(['5', '4', '3'])
    expect(list('shop', 2)).toEqual(['5', '4'])
    expect(list(undefined)).toEqual(['b', 'a'])
    expect(list('other')).toEqual([])
  })

  test('returns entries and request bytes as they were added', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (calls, size) => {
        const journal = createJournal(size)
        for (const { kept, sent } of calls) journal.add(kept, sent)
        const newest = calls.slice(-size).reverse()
        expect(journal.list('shop', 99)).toEqual(newest.map(({ kept }) => kept))
        expect([...journal.newestFirst('shop')]).toEqual(journal.list('shop', 99))
        for (const { kept, sent } of newest) {
          expect(journal.find('shop', kept.callId)).toEqual(kept)
          expect(journal.requestBody(kept)).toEqual(sent)
        }
        const { calls: news, position: place, missed } = journal.since('shop', 0)
        expect(news).toEqual(newest.map(({ kept }) => kept).reverse())
        expect([place, missed]).toEqual([calls.length, calls.length - newest.length])
      }),
    )
  })

  test('keeps 4 MiB of each organization, also of calls that other replicas share, and the newest call', () => {
    const journal = createJournal(500)
    const sent = Buffer.alloc(65_536, 0xff)
    for (let nth = 0; nth < 500; nth += 1) journal.add(entry(`${nth}`, 'shop'), sent)
    journal.add(entry('one', 'other'), sent)
    const kept = journal.list('shop').map(({ callId }) => callId)
    expect(kept).toEqual(Array.from({ length: 63 }, (_, at) => `${499 - at}`))
    expect(journal.callIds('shop')).toEqual(kept)
    expect([...journal.newestFirst('shop')].map(({ callId }) => callId)).toEqual(kept)
    expect([...journal.oldestFirst('shop', new Set(['436', '437', '499']))].map(({ callId }) => callId)).toEqual([
      '437',
      '499',
    ])
    expect(journal.find('shop', '436')).toBeUndefined()
    expect(journal.since('shop', 0)).toMatchObject({ calls: { 0: { callId: '437' } }, missed: 437, position: 457 })
    expect(journal.positionAfter('shop', '437')).toBe(438)
    expect(journal.callIds('other')).toEqual(['one'])

    for (let nth = 500; nth < 1_200; nth += 1) journal.add(entry(`${nth}`, 'shop'))
    expect(journal.list('shop').map(({ callId }) => callId)).toEqual(
      Array.from({ length: 500 }, (_, at) => `${1_199 - at}`),
    )
    journal.add({ ...entry('huge', 'shop'), tags: { x: 'a'.repeat(5_000_000) } } as never)
    expect(journal.callIds('shop')).toEqual(['huge'])
  })

  test('keeps the request bytes up to 64 KiB', () => {
    const journal = createJournal(3)
    for (const length of [65_536, 65_537]) journal.add(entry(`${length}`, 'shop'), Buffer.alloc(length, 0xff))
    expect(journal.requestBody(entry('65536', 'shop'))).toEqual(Buffer.alloc(65_536, 0xff))
    expect(journal.requestBody(entry('65537', 'shop'))).toBeUndefined()
  })

  test('masks credentials in headers and keeps their scheme', () => {
    const shown = maskHeaders({ authorization: 'Bearer eyJ.secret', cookie: 'a=b', 'x-many': ['1', '2'], host: 'a' })
    expect(shown).toEqual({ authorization: 'Bearer ***', cookie: '***', 'x-many': '1,2', host: 'a' })
  })

  test('masks every cookie of a call', () => {
    expect(maskHeaders({ cookie: 'assay-control=secret; theme=dark' })).toEqual({ cookie: '***' })
    expect(maskHeaders({ 'proxy-authorization': 'Basic secret' })).toEqual({ 'proxy-authorization': 'Basic ***' })
  })

  test('2.8: masks tokens in JSON bodies', () => {
    const body = '{"access_token" : "eyJ.secret","expires_in":7200,"payerDetails":{"paymentToken":"tok-secret"}}'
    for (const shown of [toJournalBody(body), toJournalBody(Buffer.from(body))]) {
      expect(shown).not.toContain('secret')
      expect(shown).toContain('"expires_in":7200')
    }
  })

  test.each([
    ['with an escape in its name', String.raw`{"payment\u0054oken":"secret"}`],
    ['with a quotation mark in its value', String.raw`{"paymentToken":"a\"secret"}`],
    ['that is a list', '{"paymentToken":["secret"],"kept":1}'],
    ['that is an object', '{"paymentToken":{"a":"secret"},"kept":1}'],
    ['that is a number', '{"paymentToken":5ec4e7,"kept":1}'],
    ['cut off', '{"paymentToken":"secret'],
    ['cut off in an escape', '{"paymentToken":"secret\\'],
    ['in a query', '/payments/x/status?paymentToken=secret&kept=1'],
  ])('2.8: masks a token %s', (_, text) => {
    expect(maskSecrets(text)).not.toMatch(/secret|5ec4e7/)
    expect(maskSecrets(text).includes('kept')).toBe(text.includes('kept'))
  })

  test('leaves a token of null as it is', () => {
    expect(maskSecrets('{"paymentToken" : null}')).toBe('{"paymentToken" : null}')
  })

  test('RFC 6749 2.3.1, RFC 6750 2.2, 2.3: masks secrets in forms and query strings', () => {
    const query = '/auth/token?x=1;access%5Ftoken=se-cret&Client_Secret=se-cret&refresh_token=se;cret'
    expect(maskSecrets(query)).toBe('/auth/token?x=1;access%5Ftoken=***&Client_Secret=***&refresh_token=***')
    const form = 'grant_type=client_credentials&client_secret=se-cret&client_assertion=eyJ.se-cret&scope=a'
    expect(toJournalBody(form)).toBe('grant_type=client_credentials&client_secret=***&client_assertion=***&scope=a')
    expect(toJournalBody('access_token=eyJ.se-cret')).toBe('access_token=***')
    expect(maskSecrets('/payments/x/status?a=b&access_token=eyJ.se-cret')).toBe(
      '/payments/x/status?a=b&access_token=***',
    )
    expect(toJournalBody('{"client_secret":"se-cret","description":"a&password=b","limit":1}')).toBe(
      '{"client_secret":"***","description":"a&password=***","limit":1}',
    )
  })

  test('masks secrets in binary bodies and keeps the other bytes', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc5]), Buffer.from('{"access_token":"eyJ.se-cret"}')])
    const shown = Buffer.from(toJournalBytes(bytes).bodyBase64 ?? '', 'base64')
    expect(shown.toString('latin1')).toBe('\xff\xc5{"access_token":"***"}')
  })

  test.each([0, 1, 20, 4_000])(
    'masks a token that is cut off %i characters before the end of the kept body',
    length => {
      const before = `{"a":"${'x'.repeat(16_384 - 25 - length)}","paymentToken":"`
      const body = `${before}${'S'.repeat(6_000)}"}`
      for (const shown of [toJournalBody(body), toJournalBody(Buffer.from(body))])
        expect(shown.includes('SSS')).toBe(false)
    },
  )

  test('truncates bodies to 16384 characters', () => {
    const shown = toJournalBody(Buffer.from('é'.repeat(100_000)))
    expect(shown.length).toBeLessThanOrEqual(16_385)
    expect(shown.endsWith('…')).toBe(true)
    expect(toJournalBody('a'.repeat(16_384))).toHaveLength(16_384)
  })
})
