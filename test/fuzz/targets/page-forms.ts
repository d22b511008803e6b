import fc from 'fast-check'
import type { RawRequest } from '../../support/create-signed-raw-request.ts'
import { exchangeRaw } from '../../support/raw-http.ts'
import { irisInitiateBody } from '../../support/raw-request-sandbox.ts'
import { crawlPages, type PageAction } from '../crawl-forms-and-links.ts'
import { scraps } from '../edited-text.ts'
import { type FuzzFixture, reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { HOSTILE_TEXTS } from '../hostile-values.ts'

/** The way is chosen by number among those that a crawl has found; fields are by number too. */
type Input = {
  way: number
  edits: { field: number; name: string; value: string; how: 'value' | 'name' | 'gone' | 'twice' }[]
  path: string
  type: string
}

const FORM = 'application/x-www-form-urlencoded'
const TYPES = ['multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain', 'application/json', 'x', '']
const VALUES = [
  'ok',
  'https://shop.example/x',
  'http://127.0.0.1:9/',
  '1234',
  'zuraw',
  'approve',
  'decline',
  'PT45S',
  'x'.repeat(5_000),
]

const inputs = fc.record({
  way: fc.nat(0xfff),
  edits: fc.array(
    fc.record({
      field: fc.nat(9),
      name: fc.constantFrom('done', 'screen', 'user', 'types', 'limit', 'before', 'q', ...HOSTILE_TEXTS),
      value: fc.oneof(fc.constantFrom(...VALUES), scraps(HOSTILE_TEXTS, 3)),
      how: fc.constantFrom('value', 'value', 'value', 'name', 'gone', 'twice'),
    }),
    { maxLength: 4 },
  ),
  path: fc.oneof({ weight: 8, arbitrary: fc.constant('') }, fc.constantFrom(...HOSTILE_TEXTS)),
  type: fc.oneof({ weight: 12, arbitrary: fc.constant(FORM) }, fc.constantFrom(...TYPES)),
})

/** Creates a fuzz target of all forms and links of some pages, with wrong fields. */
const pagesPart = (
  name: string,
  sends: string,
  covers: readonly string[],
  starts: (fixture: FuzzFixture) => Promise<string[]>,
) =>
  fuzzTarget<Input>({
    name,
    sends,
    inputs,
    covers,
    few: 60,
    open: async fixture => {
      const sandbox = await fixture.open()
      const port = sandbox.pagesPort
      const ways = await crawlPages(`http://localhost:${port}`, await starts(fixture))
      return async ({ way, ...rest }) => {
        const chosen = ways[way % ways.length]
        if (!chosen) return 'the crawl has found no way'
        const message = filled(chosen, rest)
        const [answer] = (
          await exchangeRaw(port, message, { plain: true, head: /\/(stream|live-stream)/.test(message.target) })
        ).answers
        if (!answer) return 'there is no response'
        const fault = reportedErrors(sandbox)
        if (fault || answer.status >= 500) return fault ?? `status ${answer.status}`
        const isPage = answer.header('content-type')?.startsWith('text/html')
        if (isPage && answer.body.includes('<i id=fuzz>')) return 'the page holds markup that a stranger sent'
        if (isPage && !answer.header('content-security-policy')) return 'the page has no Content-Security-Policy'
      }
    },
  })

const filled = (way: PageAction, { edits, path, type }: Omit<Input, 'way'>): RawRequest => {
  const fields = way.fields.map(([name, value]): [string, string] => [name, value])
  for (const { field, name, value, how } of edits) {
    const at = field % (fields.length + 1)
    const was = fields[at]
    if (!was) fields.push([name, value])
    else if (how === 'gone') fields.splice(at, 1)
    else if (how === 'twice') fields.splice(at, 0, [was[0], value])
    else fields[at] = how === 'name' ? [name, was[1]] : [was[0], value]
  }
  const sent = new URLSearchParams(
    fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  ).toString()
  const parts = way.path.split('/')
  const steps = path === '' ? parts : parts.toSpliced(-1, 1, encodeURIComponent(path.toWellFormed()))
  const isForm = way.method === 'POST'
  const target = `${steps.join('/')}${isForm || sent === '' ? '' : `?${sent}`}`
  const body = Buffer.from(isForm ? sent : '')
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['Content-Length', String(body.length)],
    ...(isForm && type ? [['Content-Type', type] as [string, string]] : []),
  ]
  return { method: way.method, target, headers, body }
}

/** A shopper's pages in the midst of a payment each: a phone with a code, an IRIS page. */
const shoppersStarts = async (fixture: FuzzFixture): Promise<string[]> => {
  const { simulator } = await fixture.open()
  const body = JSON.stringify(irisInitiateBody())
  const headers = { 'idempotency-key': 'pages', 'content-type': 'application/json' }
  const answer = await fetch(`${simulator.plainUrl}/payments/initiate`, { method: 'POST', headers, body })
  const { redirectUrl } =
    JSON.stringify(await answer.json()).match(/"(?<redirectUrl>http[^"]*\/iris\/[^"]*)"/)?.groups ?? {}
  const { phoneId } = await simulator.controlPlane.phones.create('demo-merchant', 'zuraw')
  await simulator.controlPlane.shopper.createCode('demo-merchant', { phoneId })
  const iris = new URL(redirectUrl ?? '/', simulator.pagesUrl).pathname
  return ['/', '/blik', `/blik/demo-merchant/phones/${phoneId}`, iris, `${iris}/stream`]
}

/** Fuzz target: forms and links of the hosted pages for shoppers. */
export const hostedPages = pagesPart(
  'hosted',
  'addresses, queries and forms of the pages that shoppers see',
  ['hosted-pages/*.ts', 'hosted-pages/{blik,iris}/*.ts'],
  shoppersStarts,
)

/** Fuzz target: forms and links of the operator portal. */
export const portalPages = pagesPart(
  'portal',
  'addresses, queries and forms of the portal',
  ['hosted-pages/portal/**/*.ts'],
  async () => ['/portal'],
)
