import { SIGNATURE_ENCODINGS } from '../../contracts/protocol/ecdsa-encoding.ts'
import type { SigningOptions } from '../../contracts/protocol/sign-messages.ts'
import { BASE_READINGS } from '../../contracts/protocol/signature-base.ts'
import type { Config } from '../options/options.ts'
import { SECOND } from '../support/duration.ts'

/** Converts the configuration to the rules for request signatures: dialect, maximum age and clock skew in seconds, names of the API. */
export const toSignatureRules = ({
  signatureBase,
  signatureEncoding,
  signatureAge,
  signatureAhead,
  apiUrl,
  tlsNames,
}: Config) => ({
  otherHosts: [
    ...(apiUrl === undefined ? [] : [new URL(apiUrl).hostname]),
    ...tlsNames.filter(name => !name.startsWith('*')).map(name => name.toLowerCase()),
  ],
  dialect: {
    readings: signatureBase === 'either' ? BASE_READINGS : [signatureBase],
    encodings: signatureEncoding === 'either' ? SIGNATURE_ENCODINGS : [signatureEncoding],
  },
  maxAgeSeconds: signatureAge / SECOND,
  maxAheadSeconds: signatureAhead / SECOND,
})

/** Converts the configuration to the dialect in which responses and webhooks are signed. */
export const toSigningDialect = ({ responseBase, responseEncoding }: Config): Omit<SigningOptions, 'created'> => ({
  reading: responseBase,
  encoding: responseEncoding,
})
