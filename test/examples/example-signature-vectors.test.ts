import { expect, test } from 'vitest'
import { requestComponent } from '../../contracts/protocol/signature-base.ts'
import vectors from '../protocol/signature-vectors.json' with { type: 'json' }
import { NEGATIVE_VECTORS, POSITIVE_VECTORS, receivedRequest } from '../protocol/signature-vectors.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { EXAMPLE_LANGUAGES, isInstalled, runProgram, titleOf } from './example-programs.ts'

type SignedRequest = (typeof POSITIVE_VECTORS)[number]['request']

const KEYS: Readonly<Record<string, { jwk: object }>> = vectors.keys

/** A line of a driver's input: a signature, with the values of the components that it covers. */
const signatureLine = (id: string, request: SignedRequest): string => {
  const { method, target, host } = receivedRequest(request)
  const { signature = '', 'signature-input': input = '', ...headers } = request.headers
  const parts = {
    ...{ method, target, host },
    contentDigest: headers['content-digest'],
    contentType: headers['content-type'],
    contentLength: Number(headers['content-length']),
  }
  const names = Array.from(input.split(')')[0]?.matchAll(/"([^"]*)"/g) ?? [], ([, name = '']) => name)
  const values = Object.fromEntries(names.map(name => [name, String(requestComponent(parts, name))]))
  const keyId = /keyid="([^"]*)"/.exec(input)?.[1] ?? ''
  return ['signature', id, JSON.stringify(values), input, signature, JSON.stringify(KEYS[keyId]?.jwk)].join('\t')
}

const digestLine = ({ id, field, content }: { id: string; field: string; content: string }): string =>
  ['digest', id, field, Buffer.from(content).toString('base64')].join('\t')

/** Each line with the verdict that a client shall reach that takes both readings of 5.2 and both forms of a signature. */
const EXPECTED = [
  ...POSITIVE_VECTORS.map(({ id, request }) => [signatureLine(id, request), `${id} true`]),
  ...NEGATIVE_VECTORS.map(({ id, request }) => [signatureLine(id, request), `${id} ${id.endsWith('-der')}`]),
  ...vectors.digests.map(row => [digestLine(row), `${row.id} true`]),
  ...vectors.badDigests.map(row => [digestLine(row), `${row.id} false`]),
] as const

for (const language of EXAMPLE_LANGUAGES)
  test.skipIf(!isInstalled(language))(
    `5.2: the example verifies the signature vectors, and no altered one: ${titleOf(language)}`,
    { timeout: 180_000 },
    async () => {
      const input = EXPECTED.map(([line]) => `${line}\n`).join('')
      const { stdout, stderr } = await runProgram(language.vectors(temporaryFolder), [], {}, input)
      expect(stderr).toBe('')
      expect(stdout.trimEnd().split('\n')).toEqual(EXPECTED.map(([, verdict]) => verdict))
    },
  )
