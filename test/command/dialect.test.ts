import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DIALECT_SUBCOMMANDS, main } from '../../contracts/dialect-commands/command.ts'
import { readDialectFile } from '../../simulator/options/read-dialect-file.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { runInProcess } from '../support/run-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs `assay dialect` in this process; returns exit code and output. */
const dialect = (...argv: string[]) => runInProcess(main, argv)

const profile = (name: string): string => join(ROOT, `test/conformance/dialects/${name}.yaml`)

const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), 'lines.yaml')
  writeFileSync(file, text)
  return file
}

test('--help names every subcommand, and every subcommand has its own help', async () => {
  const { out, code } = await dialect('--help')
  expect(code).toBe(0)
  for (const name of Object.keys(DIALECT_SUBCOMMANDS)) {
    expect(out).toMatch(new RegExp(`^ {2}assay dialect ${name} +\\w`, 'm'))
    const help = await dialect(name, '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toMatch(new RegExp(`^assay dialect ${name}\\b.*\\n\\n(\\S.*\\n)+`))
  }
})

test.each<[string, string[], string]>([
  ['no subcommand of that name', ['prnt'], 'There is no "prnt": "assay dialect --help" lists the subcommands.\n'],
  ['no file', ['print'], 'Write it as: assay dialect print FILE [--out FILE].\n'],
  ['one file too many', ['diff', 'a', 'b', 'c'], 'Write it as: assay dialect diff A B.\n'],
  ['an unknown option', ['diff', '--json', 'a', 'b'], '"assay dialect diff --help" lists the options.\n'],
  ['a file that is not there', ['print', 'nowhere.yaml'], 'There is no readable file nowhere.yaml'],
  ['a folder that is not there', ['print', profile('snake-case'), '--out', '/nowhere/a.yaml'], 'cannot be written'],
])('%s ends with code 2 and one sentence', async (_, argv, sentence) => {
  const { code, out, err } = await dialect(...argv)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(sentence)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
})

test('print writes the OpenAPI document to the terminal, or into a file', async () => {
  const file = join(temporaryFolder(), 'ledger.yaml')
  const { out, code } = await dialect('print', profile('bookkeeping'))
  expect(code).toBe(0)
  const description = parse(out)
  expect(description).toMatchObject({ openapi: '3.1.0', info: { title: expect.stringContaining('Ledger') } })
  expect(description.paths['/begin'].post.responses).toHaveProperty('202')
  expect(await dialect('print', profile('bookkeeping'), '--out', file)).toMatchObject({
    code: 0,
    out: `${file} is written.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(out)
})

describe('from-openapi', () => {
  test('writes a dialect that the simulator speaks, and tells on stderr and in comments what is not clear', async () => {
    const [printed, imported] = [join(temporaryFolder(), 'printed.yaml'), join(temporaryFolder(), 'imported.yaml')]
    await dialect('print', profile('coarse-states'), '--out', printed)
    const { code, out, err } = await dialect('from-openapi', printed, '--out', imported)
    expect([code, out]).toEqual([0, `${imported} is written.\n`])
    expect(err).toMatch(/^could not place enums\.state: none of OPEN, ACTIVE, .* is clearly AWAITING_SHOPPER, .*\n$/)
    const text = readFileSync(imported, 'utf8')
    expect(text).toContain('\n# Could not be placed:\n#   enums.state: none of OPEN, ')
    const { lines } = readDialectFile(imported)
    expect(lines).toMatchObject({
      paths: { initiate: '/begin', search: 'GET /orders' },
      forms: { amounts: 'minor-text' },
    })
  })

  test('overwrites no file, while print does, as each says', async () => {
    const file = fileWith('# corrected by hand\n')
    const refused = { code: 2, out: '', err: `${file} is there already: name another file.\n` }
    expect(await dialect('from-openapi', 'no-such-file.yaml', '--out', file)).toEqual(refused)
    expect(readFileSync(file, 'utf8')).toBe('# corrected by hand\n')
    expect(await dialect('print', profile('snake-case'), '--out', file)).toMatchObject({ code: 0 })
    expect((await dialect('from-openapi', '--help')).out).toContain('--out FILE       write into this new file')
    expect((await dialect('print', '--help')).out).toContain(
      '--out FILE       write into this file, over what it holds,',
    )
  })

  test('reads JSON, and prints to the terminal', async () => {
    const printed = (await dialect('print', profile('snake-case'))).out
    const { code, out, err } = await dialect('from-openapi', fileWith(JSON.stringify(parse(printed))))
    expect([code, err]).toEqual([0, ''])
    expect(parse(out)).toMatchObject({ naming: 'snake_case', errors: { reasonCode: '/error/code' } })
  })

  test('reads YAML with merge keys, but no bomb of them', async () => {
    const members = (more: string) => `openapi: 3.1
x: { usual: &usual { type: object, properties: { order_id: { type: string } } } ${more} }
paths:
  /pay/start:
    post:
      operationId: startPayment
      requestBody: { content: { application/json: { schema: { <<: *usual, description: more } } } }
      responses: {}
`
    const { code, out } = await dialect('from-openapi', fileWith(members('')))
    expect([code, parse(out)?.requests]).toEqual([0, { initiate: { clientTransactionId: '/order_id' } }])
    const levels = Array.from({ length: 30 }, (_, at) => `l${at + 1}: &l${at + 1} { <<: [*l${at}, *l${at}] }`)
    const bomb = await dialect('from-openapi', fileWith(members(`, l0: &l0 { a: 1 }, ${levels.join(', ')}`)))
    expect(bomb).toMatchObject({ code: 2, err: expect.stringContaining('is neither YAML nor JSON: Excessive alias') })
  })

  test('keeps a path with a line break within its comment', async () => {
    const document = { openapi: '3.1.0', paths: { '/x\nname: evil': { post: { responses: {} } } } }
    const { code, out, err } = await dialect('from-openapi', fileWith(JSON.stringify(document)))
    expect(code).toBe(0)
    expect(parse(out)).toBeNull()
    expect(err).toContain('could not place POST /x name: evil: it is clearly none of our operations\n')
  })

  test.each<[string, string, string]>([
    ['no YAML', 'a: [', 'is neither YAML nor JSON'],
    ['no OpenAPI', 'swagger: "2.0"', 'cannot be read as OpenAPI. Its "openapi" is undefined'],
    ['too long', ' '.repeat(4_000_001), 'has more than 4000000 characters'],
  ])('a file that is %s ends with code 2 and one sentence', async (_, text, sentence) => {
    const { code, out, err } = await dialect('from-openapi', fileWith(text))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('diff', () => {
  test.each(['snake-case', 'bookkeeping', 'coarse-states'])('%s and itself are the same', async name => {
    expect(await dialect('diff', profile(name), profile(name))).toEqual({
      code: 0,
      out: 'The two dialects are the same.\n',
      err: '',
    })
  })

  test('lists by topic what a merchant must change, a sentence each', async () => {
    const { code, out } = await dialect('diff', profile('snake-case'), profile('coarse-states'))
    expect(code).toBe(1)
    const topics = out.split('\n\n').map(part => part.split('\n').filter(line => line !== ''))
    for (const [heading, ...lines] of topics) {
      expect(heading).toMatch(new RegExp(`^[a-z ]+ \\(${lines.length}\\)$`))
      for (const line of lines) expect(line).toMatch(/^ {2}\S.*\.$/)
    }
    for (const sentence of [
      'search: call GET /orders?ref={clientTransactionId} instead of POST /v2/payments/find.',
      'transactionId: write /transactionId instead of /payment_ref (finalize, capture, cancel, refund).',
      'capture: write the constant "PLN" at /unit.',
      'timeline: read /timeline instead of /history (events).',
      'state: AUTHORIZED is "ACTIVE" instead of "authorized".',
      'amounts: minor units as text instead of whole numbers of minor units.',
      'initiate: success is any 2xx instead of 201.',
      'callId: read /callId instead of /request_id.',
      'The key set is served behind certificate, token and signature.',
      'A webhook is signed by the key of the service only.',
    ])
      expect(out).toContain(`  ${sentence}\n`)
  })

  test.each([
    ['dialect: { encoding: raw }', 'The bytes of a signature are r and s, one behind the other, as in JWS.'],
    ['headers: { signature: X-Sig }', 'Responses have the header X-Sig instead of Signature.'],
    ["members: { all: { '': /data } }", 'the whole message: read /data instead of the whole body'],
    ['requests: { without: { finalize: [processingAccountId] } }', 'processingAccountId: leave it out; it was at'],
    ['mocks: { faults: { at: /steps/capture/fault, locked: BUSY } }', 'locked: "BUSY" instead of "no word".'],
    ["decisions: { D-07: '402' }", 'D-07: 402 instead of 200: '],
    [
      'members: { webhook: { transactionId: /payment/id } }',
      'transactionId: read /payment/id instead of /transactionId (webhook).',
    ],
    [
      'members: { downloadReport: { grossAmount: /gross } }',
      'grossAmount: read the column gross instead of grossAmount (downloadReport).',
    ],
    [
      'fields: { finalize: { paymentToken: /tokens/1 } }',
      'payerDetails.paymentToken: read /tokens/1 instead of /payerDetails/paymentToken (finalize).',
    ],
    [
      'errors: { reasonCode: [/statusInfo/reasonCode, /error/code] }',
      'statusInfo.reasonCode: may also stand at /error/code instead of no other place.',
    ],
    ['states: { processing: [BUSY, QUEUED] }', 'processing: also told as "BUSY" or "QUEUED" instead of no other word.'],
    ['limits: { holdSeconds: 600 }', 'holdSeconds: 600 instead of no line (seconds that an authorization is held).'],
    [
      'target: { baseUrl: https://a.example/v2/, environment: sandbox }',
      'Every path has /v2 before it instead of nothing.',
    ],
  ])('the line %s makes one topic', async (lines, sentence) => {
    const { code, out } = await dialect('diff', fileWith('name: Plain\n'), fileWith(lines))
    expect([code, out]).toEqual([1, expect.stringContaining(sentence)])
    expect(out.split('\n\n')).toHaveLength(1)
  })
})
