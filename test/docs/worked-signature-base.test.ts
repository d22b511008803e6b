import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { contentDigest } from '../../contracts/protocol/content-digest.ts'
import { COVERED_COMPONENTS, requestComponent, signatureBase } from '../../contracts/protocol/signature-base.ts'

const { info } = parse(readFileSync(new URL('../../contracts/openapi.yaml', import.meta.url), 'utf8'))

test('5.2: the signature base in the OpenAPI description equals the computed one', () => {
  const [, body = '', shown] = /for the body `(.*?)`.*?```\n(.*?)\n```/s.exec(info.description) ?? []
  const parts = {
    method: 'POST',
    target: '/payments/finalize',
    host: 'localhost:8443',
    contentDigest: contentDigest(Buffer.from(body)),
    contentType: 'application/json',
    contentLength: Buffer.byteLength(body),
  }
  const names = COVERED_COMPONENTS.requestWithBody
  const parameters = `(${names.map(name => `"${name}"`).join(' ')});keyid="my-key";created=1767225600`
  expect(shown).toBe(signatureBase(names, name => requestComponent(parts, name), parameters, 'rfc'))
})
