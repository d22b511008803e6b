import fc from 'fast-check'
import { contentDigest, describeDigestError } from '../../../contracts/protocol/content-digest.ts'
import { readSignature } from '../../../contracts/protocol/match-signature-dialect.ts'
import { readSignatureInput } from '../../../contracts/protocol/signature-input.ts'
import { readLenientSignature } from '../../../contracts/protocol/signature-lab/lenient-signature.ts'
import { readLenientSignatureInput } from '../../../contracts/protocol/signature-lab/lenient-signature-input.ts'
import { UnreadableField } from '../../../contracts/protocol/structured-field.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'

const BODY = Buffer.from('{"a":1}')

const SAMPLES = [
  'service_sig=("@authority" "@method" "@request-target" "content-digest");keyid="k-1";created=1767614400',
  'service_sig=("@authority" "@method");created=1767614400;keyid="k-1";alg="ecdsa-p256-sha256";expires=1767614700',
  'sig1=("date";req "@path";bs);keyid="x", service_sig=("@method");keyid="a\\"b";created=1;tag="t"',
  'service_sig=:MEUCIQDmBDDNAAaIRBNr+xVmDQLBCl9Hpk9XQ3GGDPOMzIV0BwIgZzZ3Yj4vKw==:',
  contentDigest(BODY),
  `${contentDigest(BODY, 'sha-512')}, ${contentDigest(BODY, 'sha-384')}, md5=:AAAA:`,
]

const PIECES = [
  ...[
    'service_sig',
    'service_sig=',
    'sig1=',
    '("@method")',
    '"@method"',
    '"@signature-params"',
    ';keyid="k"',
    ';keyid=',
    ';created=1',
    ';created=1.0',
  ],
  ...[
    ';created="1"',
    ';created=-1',
    ';created=999999999999999',
    ';expires=0',
    ';alg="x"',
    ';req',
    ';sf;bs',
    ', ',
    ',,',
    '=?1',
    '=:',
    ':AAAA:',
    ':AA==:',
    '=@1',
    '=%"x"',
    '=*',
  ],
  ...['sha-256=', 'sha-384=', 'sha-512=', 'SHA-256=', 'md5=:AAAA:', '“', '”', '\\"', '"\\', ';;', '; ', '-', '_'],
]

// biome-ignore format: a table reads by its columns
/** Who reads such a text, and which errors are its own. */
const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['Signature-Input',     readSignatureInput],
  ['Signature',           readSignature],
  ['Content-Digest',      text => describeDigestError(text, BODY)],
  ['kind input',          readLenientSignatureInput],
  ['kind signature',      readLenientSignature],
]

/** Fuzz target: structured fields of 5.2 and near-misses; parsed, or refused as unreadable. */
export const structuredFields = fuzzTarget<string>({
  name: 'fields',
  sends: 'Signature-Input, Signature and Content-Digest, nearly',
  inputs: fc.oneof(
    nearly(SAMPLES, PIECES),
    nearly(SAMPLES, PIECES).map(text => `service_sig=("@method")${text}`),
  ),
  covers: [
    'contracts/protocol/signature-input.ts',
    'contracts/protocol/structured-field.ts',
    'contracts/protocol/content-digest.ts',
    'contracts/protocol/signature-lab/lenient-signature-input.ts',
    'contracts/protocol/signature-lab/lenient-signature.ts',
  ],
  guided: [''],
  few: 150,
  open: async () => text => {
    for (const [name, read] of READERS)
      try {
        read(text)
      } catch (error) {
        if (!(error instanceof UnreadableField)) return `${name}: ${error}`
        if (/\n|^$/.test(error.message)) return `${name}: the fault is no sentence: ${error.message}`
      }
  },
})
