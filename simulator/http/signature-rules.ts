import { ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import { READINGS } from '../../contracts/protocol/signature-base.ts'
import { SECOND } from '../duration.ts'
import type { Config } from '../options.ts'

/** What signatures are accepted, as configured. */
export const signatureRulesOf = ({ signatureBase, signatureEncoding, signatureAge, signatureAhead }: Config) => ({
  dialect: {
    readings: signatureBase === 'either' ? READINGS : [signatureBase],
    encodings: signatureEncoding === 'either' ? ENCODINGS : [signatureEncoding],
  },
  maxAgeSeconds: signatureAge / SECOND,
  maxAheadSeconds: signatureAhead / SECOND,
})
