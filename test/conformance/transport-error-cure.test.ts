import { expect, test } from 'vitest'
import { transportErrorCure } from '../../contracts/harness/profile/transport-error-cure.ts'

// biome-ignore format: a table reads by its columns
test.each([
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'correct organization.certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',            'correct organization.certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN',                 'correct organization.ca'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE',           'correct organization.ca'],
  ['CERT_HAS_EXPIRED',                          'have it renewed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID',              'correct target.baseUrl'],
  ['ENOTFOUND',                                 'start it, or correct target.baseUrl'],
])('%s: %s', (code, cure) => {
  expect(transportErrorCure(code)).toContain(cure)
})
