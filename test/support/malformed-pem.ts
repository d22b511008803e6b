/** Encodes bytes as a PEM block. */
export const pemBlock = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`

export const pemBytes = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')

/** Creates malformed variants of a PEM text for tests, each with its name. */
export const malformedPems = (pem: string, label: string): [what: string, text: string][] => [
  ['nothing', ''],
  ['no PEM', 'hello'],
  ['a head alone', `-----BEGIN ${label}-----`],
  ['no end', pem.replace(/-----END.*/s, '')],
  ['half', pem.slice(0, pem.length / 2)],
  ['half of its bytes', pemBlock(label, pemBytes(pem).subarray(0, 40))],
  ['no bytes', pemBlock(label, Buffer.alloc(0))],
  ['one byte', pemBlock(label, Buffer.of(0x30))],
  ['zeros', pemBlock(label, Buffer.alloc(500))],
  ['a length beyond the end', pemBlock(label, Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 1))],
  ['deep nesting', pemBlock(label, Buffer.alloc(20_000, Buffer.of(0x30, 0x80)))],
  ['many', pem.repeat(3)],
  ['very many heads', `-----BEGIN ${label}-----\n`.repeat(1_500)],
  ['another end', pem.replace(`END ${label}`, 'END SOMETHING')],
  ['a label of its own', pem.replaceAll(label, 'SOMETHING')],
  ['a label in small letters', pem.replaceAll(label, label.toLowerCase())],
  ['NUL bytes inside', pem.replace('\n', '\n\u0000')],
  ['NUL bytes in the label', pem.replace(label, `${label}\u0000`)],
  ['newlines lost', pem.replaceAll('\n', '\\n')],
  ['characters that are no Base64', pem.replace(/\n(.{10})/, '\n!!$1')],
  ['headers inside', pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')],
  ['huge', pemBlock(label, Buffer.alloc(40_000, 7))],
]
