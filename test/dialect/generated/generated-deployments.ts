import fc from 'fast-check'
import type { DialectLines } from '../../../contracts/dialect/dialect-lines.ts'
import { generateDecisions } from './generate-decisions.ts'
import { generateForms, generateStates, generateWords } from './generate-enums-states-and-value-forms.ts'
import { anEnvelope, generatePlaces } from './generate-member-places.ts'
import { generatePaths, generateSuccess } from './generate-paths-and-statuses.ts'
import { generateHeaders, generateRequestSignatures, generateResponseSignatures } from './generate-signatures.ts'
import { REQUEST_MEMBERS, RESPONSE_MEMBERS } from './members-to-place.ts'
import { linesOfChecks } from './profile-lines-that-checks-read.ts'

/** Generates constants of requests, and members that requests do not have. */
const generateRequests = fc.record({
  all: generatePlaces(REQUEST_MEMBERS, 10),
  capture: generatePlaces(['transactionId', 'clientTransactionId', 'paymentDetails.amount']),
  always: fc.constantFrom({}, { all: { '/tenant': 'T1' } }, { capture: { '/unit': 'PLN' }, reports: { '/tenant': 7 } }),
  without: fc.constantFrom(
    {},
    { finalize: ['processingAccountId'] },
    { capture: ['clientTransactionId'], reports: ['type'] },
  ),
})

const generateMembers = fc
  .record({
    envelope: anEnvelope,
    all: generatePlaces(RESPONSE_MEMBERS, 12),
    search: fc.constantFrom({}, { 'payments.createdAt': '/since', 'payments.transactionId': '/number' }),
  })
  .map(({ envelope, all, search }) => ({ all: { ...(envelope === '' ? {} : { '': envelope }), ...all }, search }))

const generateDialects: fc.Arbitrary<DialectLines> = fc.record({
  naming: fc.constantFrom('camelCase' as const, 'snake_case' as const),
  dialect: generateRequestSignatures,
  responses: generateResponseSignatures,
  headers: generateHeaders,
  keySet: fc.record({ protected: fc.boolean() }),
  paths: generatePaths,
  success: generateSuccess,
  requests: generateRequests,
  members: generateMembers,
  errors: fc.record({
    reasonCode: fc.constantFrom('/statusInfo/reasonCode', '/error/code', '/errors/0/reason', '/problem/detail/code'),
    callId: fc.constantFrom('/callId', '/trace/id', '/request_id'),
  }),
  forms: generateForms,
  ids: fc.record({ transactionId: fc.constantFrom('text' as const, 'number' as const) }),
  enums: generateWords,
  states: generateStates,
  webhooks: fc.record({ signature: fc.constantFrom('rfc9421' as const, 'hmac' as const, 'both' as const) }),
  limits: fc.record({ holdSeconds: fc.constantFrom(604_800, 7200) }),
  decisions: generateDecisions,
  mocks: fc.constantFrom(
    {},
    { providerCode: '/steps/initiate/scheme_says' },
    { faults: { at: '/steps/capture/scenario', error: 'DOWN', timeout: 'LATE' } },
  ),
})

/**
 * fast-check arbitrary of profile lines of a generated deployment: those of its dialect, and those by which a check finds its way in
 * it.
 */
export const aDeployment: fc.Arbitrary<DialectLines> = generateDialects.map(lines => ({
  ...lines,
  ...linesOfChecks(lines),
}))
