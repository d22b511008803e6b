import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExchangeOptions, exchangeRaw } from '../support/raw-http.ts'
import { identityOf, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'

let sandbox: RawSandbox
let listeners: readonly (readonly [name: string, port: number, how: ExchangeOptions])[]

beforeAll(async () => {
  sandbox = await openRawSandbox({ config: { plainPort: 0, layers: ['signature', 'token'] } })
  const plainPort = Number(new URL(sandbox.simulator.plainUrl ?? '').port)
  listeners = [
    ['the API', sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) }],
    ['the plain port', plainPort, { plain: true }],
    ['the pages', sandbox.pagesPort, { plain: true }],
  ]
})

afterAll(async () => {
  expect(sandbox.faults).toEqual([])
  await sandbox.close()
})

const said = (text: string): Buffer => Buffer.from(text, 'latin1')
/** A request with CRLF line ends in its head and the body as given. */
const post = (lines: string, body: string, first = 'POST /control/organizations HTTP/1.1'): Buffer =>
  said(`${[first, 'Host: localhost', ...lines.split('\n')].join('\r\n')}\r\n\r\n${body}`)
const chunks = (...lines: string[]): Buffer => post('Transfer-Encoding: chunked', `${lines.join('\r\n')}\r\n`)

/** RFC 9112 2.2, 5.1, 5.2, 6.1–6.3, 7.1: requests that two servers in a chain may delimit differently. */
const AMBIGUOUS: [string, Buffer][] = [
  ['a length and chunks', post('Content-Length: 2\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['chunks and a length', post('Transfer-Encoding: chunked\nContent-Length: 2', '0\r\n\r\n')],
  ['two equal lengths', post('Content-Length: 2\nContent-Length: 2', '{}')],
  ['two lengths', post('Content-Length: 2\nContent-Length: 3', '{}')],
  ['two lengths in one header', post('Content-Length: 2,2', '{}')],
  ['a length with a sign', post('Content-Length: +2', '{}')],
  ['a length with a space in it', post('Content-Length: 2 2', '{}')],
  ['a length in hexadecimal', post('Content-Length: 0x2', '{}')],
  ['a length with decimals', post('Content-Length: 2.0', '{}')],
  ['a length with a parameter', post('Content-Length: 2;', '{}')],
  ['an empty length', post('Content-Length:', '{}')],
  ['a length behind a vertical tab', post('Content-Length: \x0b2', '{}')],
  ['a space before the colon of a length', post('Content-Length : 2', '{}')],
  ['a space before the colon of an encoding', post('Transfer-Encoding : chunked', '0\r\n\r\n')],
  ['an encoding that is nearly chunked', post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
  ['an encoding in quotes', post('Transfer-Encoding: "chunked"', '0\r\n\r\n')],
  ['an encoding behind a vertical tab', post('Transfer-Encoding: \x0bchunked', '0\r\n\r\n')],
  ['an encoding with a parameter', post('Transfer-Encoding: chunked;x=1', '0\r\n\r\n')],
  ['an empty encoding', post('Transfer-Encoding:', '')],
  ['identity', post('Transfer-Encoding: identity', '{}')],
  ['identity and a length', post('Transfer-Encoding: identity\nContent-Length: 2', '{}')],
  ['identity in front of chunked', post('Transfer-Encoding: identity, chunked', '0\r\n\r\n')],
  ['identity behind chunked', post('Transfer-Encoding: chunked, identity', '0\r\n\r\n')],
  ['gzip in front of chunked', post('Transfer-Encoding: gzip, chunked', '0\r\n\r\n')],
  ['chunked twice', post('Transfer-Encoding: chunked\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['an unknown encoding, then chunked', post('Transfer-Encoding: x\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['an encoding on a folded line', post('Transfer-Encoding:\n chunked', '0\r\n\r\n')],
  ['chunks in HTTP/1.0', post('Transfer-Encoding: chunked', '0\r\n\r\n', 'POST /control/organizations HTTP/1.0')],
  ['HTTP/0.9', post('X: a', '', 'GET /health HTTP/0.9')],
  ['HTTP/1.2', post('X: a', '', 'GET /health HTTP/1.2')],
  ['HTTP/2.0', post('X: a', '', 'GET /health HTTP/2.0')],
  ['a chunk with a sign', chunks('+2', '{}', '0', '')],
  ['a chunk in 0x', chunks('0x2', '{}', '0', '')],
  ['a chunk behind a space', chunks(' 2', '{}', '0', '')],
  ['a chunk before a space', chunks('2 ', '{}', '0', '')],
  ['a chunk that overflows', chunks('fffffffffffffffff2', '{}', '0', '')],
  ['a chunk without its line end', chunks('2', '{}0', '', '')],
  ['a chunk that ends in a line feed', chunks('2', '{}\n0', '')],
  ['a chunk whose length ends in a line feed', chunks('2\n{}', '0', '')],
  ['a chunk extension with a line feed', chunks('2;a\nxx', '{}', '0', '')],
  ['a chunk extension with a carriage return', chunks('2;a=b\r{}', '0', '')],
  ['a length behind the chunks', chunks('2', '{}', '0', 'Content-Length: 9', '')],
  ['an encoding behind the chunks', chunks('2', '{}', '0', 'Transfer-Encoding: chunked', '')],
  ['line feeds alone', said('POST /x HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}')],
  ['one line feed alone', said('POST /x HTTP/1.1\r\nHost: localhost\nContent-Length: 2\r\n\r\n{}')],
  [
    'a line feed that hides an encoding',
    post('Content-Length: 2', '{}', 'POST /x HTTP/1.1\r\nX: a\nTransfer-Encoding: chunked'),
  ],
  ['a carriage return that hides an encoding', post('Content-Length: 2\nX: a\rTransfer-Encoding: chunked', '{}')],
  ['a folded header', post('X: a\n b\nContent-Length: 2', '{}')],
  ['a folded first header', said('POST /x HTTP/1.1\r\n Host: localhost\r\nContent-Length: 2\r\n\r\n{}')],
  ['NUL in a header', post('X: a\0b\nContent-Length: 2', '{}')],
  ['NUL in the name of a header', post('X\0: a\nContent-Length: 2', '{}')],
]

/** RFC 9112 3.2.1, RFC 3986 5.2.4: paths that bypass a path rule of a proxy, such as one that blocks /control. */
const DETOURS = [
  '/blik/../control/organizations',
  '/blik/%2e%2E/control/organizations',
  '/iris/.%2e/control/organizations',
  '/control/./organizations',
  '/control/organizations/..',
  '/control/organizations/x/%2e?a=b',
  '/blik\\..\\control\\organizations',
  '/control/organizations#/../blik',
  '/%63ontrol/organizations',
  '/control/%6Frganizations?a=b',
  '/%70ortal',
]
const ROUND = DETOURS.map((path): [string, Buffer] => [`the path ${path}`, post('X: a', '', `GET ${path} HTTP/1.1`)])

const SMUGGLED = said('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')

test.each([...AMBIGUOUS, ...ROUND])(
  '%s: 400 on every port, and pipelined requests after it are ignored',
  async (_case, request) => {
    for (const [name, port, how] of listeners) {
      const { answers, closed } = await exchangeRaw(port, Buffer.concat([request, SMUGGLED]), {
        ...how,
        untilClosed: true,
      })
      expect([name, closed, answers.map(({ status }) => status)]).toEqual([name, true, [400]])
    }
  },
)

test('requests before an ambiguous one get their responses', async () => {
  const ambiguous = post('Transfer-Encoding: gzip, chunked', '0\r\n\r\n')
  for (const [name, port, how] of listeners) {
    const { answers } = await exchangeRaw(port, Buffer.concat([SMUGGLED, ambiguous, SMUGGLED]), {
      ...how,
      untilClosed: true,
    })
    const before = name === 'the pages' ? 200 : 401
    expect([name, ...answers.map(({ status }) => status)]).toEqual([name, before, 400])
  }
})

test('RFC 9112 3.2: the pages port refuses absolute targets, two Host headers and none', async () => {
  const wrong = [
    'GET http://localhost/control/organizations HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET http://evil.example/control/organizations HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /control/organizations HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
    'GET /control/organizations HTTP/1.1\r\n\r\n',
  ]
  for (const text of wrong) {
    const [answer] = (await exchangeRaw(sandbox.pagesPort, said(text), { plain: true })).answers
    expect([text, answer?.status]).toEqual([text, expect.toBeOneOf([400, 403])])
  }
})

test('dots in a path segment and in a query are allowed', async () => {
  for (const path of [
    '/control/scenarios/..x',
    '/control/scenarios/...',
    '/control/scenarios/x%2e',
    '/nowhere?to=/../#x%61',
    '/nowhere/%7E%20%c5%bc%2561',
  ]) {
    const [answer] = (await exchangeRaw(sandbox.pagesPort, post('X: a', '', `GET ${path} HTTP/1.1`), { plain: true }))
      .answers
    expect([path, answer?.status]).toEqual([path, 404])
  }
})

test('valid chunked bodies reach control', async () => {
  const good = [chunks('2;a=b', '{}', '0', ''), post('transfer-encoding: CHUNKED', '2\r\n{}\r\n0\r\n\r\n')]
  for (const request of good)
    expect((await exchangeRaw(sandbox.pagesPort, request, { plain: true })).answers[0]?.status).toBe(201)
})
