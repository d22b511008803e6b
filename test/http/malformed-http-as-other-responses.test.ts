import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../simulator/options/options.ts'
import { signatureErrorOf, statusAndCode } from '../support/api-response-checks.ts'
import { openConnection, type RawResponse } from '../support/raw-http.ts'
import { identityOf, openRawSandbox, type RawSandbox } from '../support/raw-request-sandbox.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// What cannot be read as HTTP is refused like any call: in the dialect, by the layers that are on, to HEAD without a body.

const open = async (config: Partial<Config> = {}): Promise<RawSandbox> => {
  const sandbox = await openRawSandbox({ config })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const request = (method: string, more: string) => Buffer.from(`${method} /x HTTP/1.1\r\n${more}\r\n`)

/** Headers that Node's parser accepts and we refuse, that Hono cannot parse, and that the parser refuses. */
const MALFORMED = ['', 'Host: a b\r\n', 'Host: localhost\r\nContent-Length: two\r\n']

test.each(MALFORMED)('5.4: HEAD gets the head alone, with a signature of no body', async more => {
  const sandbox = await open()
  const socket = openConnection(sandbox.apiPort, { identity: identityOf(sandbox.demo.kit) })
  const text = socket.setEncoding('utf8').toArray()
  socket.write(request('HEAD', more))
  expect((await text).join('')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/)
  const answer = await sandbox.send(request('HEAD', more), { head: true })
  expect(await signatureErrorOf(answer, sandbox.keySet)).toBeUndefined()
})

test.each(MALFORMED)(
  'D-70: without the signature layer the refusal is signed only where the request asks',
  async more => {
    const sandbox = await open({ layers: ['certificate'] })
    const answer = await sandbox.send(request('GET', more))
    expect([statusAndCode(answer), answer.header('signature')]).toEqual(['400/4000', undefined])
  },
)

const DIALECT = `
name: other
naming: snake_case
headers: { signature: X-Answer-Signature, signatureInput: X-Answer-Signature-Input, contentDigest: X-Answer-Digest }
responses: { label: sig1 }
`

/** The names of a refusal's members, with those of statusInfo. */
const membersOf = (answer: RawResponse): string[] =>
  Object.entries(answer.json() as object).flatMap(([name, value]) => [name, ...Object.keys(Object(value))])

test.each(MALFORMED)('the refusal has the members and headers of the dialect', async more => {
  const dialect = join(temporaryFolder(), 'other.yaml')
  writeFileSync(dialect, DIALECT)
  const sandbox = await open({ dialect })
  const [answer, usual] = [
    await sandbox.send(request('GET', more)),
    await sandbox.send(await sandbox.sign({ target: '/nowhere' })),
  ]
  expect(membersOf(answer)).toEqual(membersOf(usual))
  expect(answer.header('x-answer-signature-input')).toMatch(/^sig1=/)
  expect(answer.header('signature')).toBeUndefined()
})
