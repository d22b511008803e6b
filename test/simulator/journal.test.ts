import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type JournalEntry,
  journalBody,
  journalBytes,
  journalHeaders,
  journalText,
} from '../../simulator/journal/entry.ts'
import { createJournal } from '../../simulator/journal/journal.ts'

const entry = (callId: string, organizationId?: string): JournalEntry => ({
  callId,
  at: '',
  durationMilliseconds: 0,
  ...(organizationId === undefined ? {} : { organizationId }),
  request: { method: 'GET', target: '/', headers: {}, body: '' },
  answer: { status: 200, headers: {}, body: '' },
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
    const kept = { ...plain, request, answer: { ...plain.answer, body: told } }
    return { kept, sent: Buffer.from(sent ?? asked) }
  })

describe('the journal', () => {
  test('keeps the last calls of each organization, newest first, and those of nobody apart', () => {
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

  test('gives back what was added, whatever it was, and the bytes of its body', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (calls, size) => {
        const journal = createJournal(size)
        for (const { kept, sent } of calls) journal.add(kept, sent)
        const newest = calls.slice(-size).reverse()
        expect(journal.list('shop', 99)).toEqual(newest.map(({ kept }) => kept))
        expect([...journal.newestFirst('shop')]).toEqual(journal.list('shop', 99))
        for (const { kept, sent } of newest) {
          expect(journal.find('shop', kept.callId)).toEqual(kept)
          expect(journal.sent(kept)).toEqual(sent)
        }
        const { calls: news, place, missed } = journal.since('shop', 0)
        expect(news).toEqual(newest.map(({ kept }) => kept).reverse())
        expect([place, missed]).toEqual([calls.length, calls.length - newest.length])
      }),
    )
  })

  test('keeps the bytes of a body that it does not show, unless they are too many', () => {
    const journal = createJournal(3)
    for (const length of [65_536, 65_537]) journal.add(entry(`${length}`, 'shop'), Buffer.alloc(length, 0xff))
    expect(journal.sent(entry('65536', 'shop'))).toEqual(Buffer.alloc(65_536, 0xff))
    expect(journal.sent(entry('65537', 'shop'))).toBeUndefined()
  })

  test('hides credentials in headers and keeps their scheme', () => {
    const shown = journalHeaders({ authorization: 'Bearer eyJ.secret', cookie: 'a=b', 'x-many': ['1', '2'], host: 'a' })
    expect(shown).toEqual({ authorization: 'Bearer ***', cookie: '***', 'x-many': '1,2', host: 'a' })
  })

  test('2.8: hides tokens in bodies, wherever they stand and however they are written', () => {
    const body = '{"access_token" : "eyJ.secret","expires_in":7200,"payerDetails":{"paymentToken":"tok-secret"}}'
    for (const shown of [journalBody(body), journalBody(Buffer.from(body))]) {
      expect(shown).not.toContain('secret')
      expect(shown).toContain('"expires_in":7200')
    }
  })

  test('RFC 6749 2.3.1, RFC 6750 2.2, 2.3: hides what clients put into forms and addresses', () => {
    const form = 'grant_type=client_credentials&client_secret=se-cret&client_assertion=eyJ.se-cret&scope=a'
    expect(journalBody(form)).toBe('grant_type=client_credentials&client_secret=***&client_assertion=***&scope=a')
    expect(journalBody('access_token=eyJ.se-cret')).toBe('access_token=***')
    expect(journalText('/payments/x/status?a=b&access_token=eyJ.se-cret')).toBe(
      '/payments/x/status?a=b&access_token=***',
    )
    expect(journalBody('{"client_secret":"se-cret","description":"a&password=b","limit":1}')).toBe(
      '{"client_secret":"***","description":"a&password=***","limit":1}',
    )
  })

  test('hides them in bytes that are no text, and leaves the others as they are', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc5]), Buffer.from('{"access_token":"eyJ.se-cret"}')])
    const shown = Buffer.from(journalBytes(bytes).bodyBase64 ?? '', 'base64')
    expect(shown.toString('latin1')).toBe('\xff\xc5{"access_token":"***"}')
  })

  test.each([0, 1, 20, 4_000])('hides a token that is cut off %i characters before the end of what is kept', length => {
    const before = `{"a":"${'x'.repeat(16_384 - 25 - length)}","paymentToken":"`
    const body = `${before}${'S'.repeat(6_000)}"}`
    for (const shown of [journalBody(body), journalBody(Buffer.from(body))]) expect(shown.includes('SSS')).toBe(false)
  })

  test('keeps no more of a body than people read', () => {
    const shown = journalBody(Buffer.from('é'.repeat(100_000)))
    expect(shown.length).toBeLessThanOrEqual(16_385)
    expect(shown.endsWith('…')).toBe(true)
    expect(journalBody('a'.repeat(16_384))).toHaveLength(16_384)
  })
})
