import { expect, test } from 'vitest'
import {
  describeUnreachable,
  transportErrorCure,
  withPlaceToCorrect,
} from '../../contracts/harness/profile/transport-error-cure.ts'

// biome-ignore format: a table reads by its columns
test.each([
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'correct organization.certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',            'correct organization.certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN',                 'correct organization.ca'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE',           'correct organization.ca'],
  ['CERT_HAS_EXPIRED',                          'have it renewed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID',              'correct target.baseUrl'],
  ['ANSWER_TOO_LONG',                           'mend it, or correct target.baseUrl'],
  ['HPE_INVALID_CONSTANT',                      'mend it, or correct target.baseUrl'],
  ['ENOTFOUND',                                 'start it, or correct target.baseUrl'],
])('%s: %s', (code, cure) => {
  expect(transportErrorCure({ file: 'ours.yaml' }, code)).toContain(cure)
})

// biome-ignore format: a table reads by its columns
test.each([
  [[],                  'correct target.baseUrl or paths.token',       'correct target.baseUrl or paths.token in ours.yaml'],
  [['base-url', 'kit'], 'correct target.baseUrl or paths.token',       'correct --base-url or paths.token in ours.yaml'],
  [['base-url', 'kit'], 'start it, or correct target.baseUrl',         'start it, or correct --base-url'],
  [['base-url'],        'of another authority, correct organization.ca', 'of another authority, correct organization.ca in ours.yaml'],
  [['base-url', 'kit'], 'of another authority, correct organization.ca', 'of another authority, correct --kit'],
  [['kit'],             'correct organization, its certificate, id and clientId', 'correct --kit, its certificate, id and clientId'],
  [['kit'],             'correct organization or dialect',             'correct --kit or dialect in ours.yaml'],
] as const)('where %j are given: %s', (overridden, cure, placed) => {
  expect(withPlaceToCorrect({ file: 'ours.yaml', overridden }, cure)).toBe(placed)
})

test('what speaks no TLS is described so, all else by code and message', () => {
  expect(describeUnreachable({ code: 'EPROTO', message: 'wrong version number' })).toBe(
    'does not speak TLS (it looks like plain HTTP)',
  )
  expect(describeUnreachable({ code: 'ENOTFOUND', message: 'no such host' })).toBe(
    'cannot be reached (ENOTFOUND: no such host)',
  )
})
