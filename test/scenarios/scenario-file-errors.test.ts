import { describe, expect, test } from 'vitest'
import { createCheckAgainstSchema } from '../../simulator/scenarios/check-scenario-file-against-schema.ts'
import { parseScenarioFile } from '../../simulator/scenarios/read-scenario-file.ts'

const checkShape = createCheckAgainstSchema()

/** Errors of a scenario with these members, each as line and sentence. */
const told = (members: string): string[] =>
  parseScenarioFile('own.yaml', `scenarios:\n  - { name: MINE, title: Mine., ${members} }\n`, checkShape).mistakes.map(
    ({ line, sentence }) => `${line}: ${sentence}`,
  )

// biome-ignore format: a table reads by its columns
const MEMBERS: readonly (readonly [members: string, sentence: string])[] = [
  ['titel: x',                                                      '"titel" is not known here: did you mean title?'],
  ['zzz: x',                                                        '"zzz" is not known here: give name, title, clauses, providers, magic, steps, shopper, settlement, dispute, mandate, webhooks.'],
  ['steps: { captur: { outcome: approved } }',                      '"captur" is not known here: did you mean capture?'],
  ['steps: { capture: { outcome: ok } }',                           'steps.capture.outcome is "ok": give one of approved, declined.'],
  ['steps: { initiate: { outcome: approved } }',                    'steps.initiate.outcome is "approved": give one of accepted, pending, declined.'],
  ['steps: { finalize: { outcome: accepted } }',                    'steps.finalize.outcome is "accepted": give one of pending, approved, declined.'],
  ['steps: { charge: { outcome: pending } }',                       'steps.charge.outcome is "pending": give one of approved, declined.'],
  ['steps: { cancel: { outcome: accepted } }',                      'steps.cancel.outcome is "accepted": give one of approved, declined.'],
  ['steps: { refund: { outcome: pending } }',                       'steps.refund.outcome is "pending": give one of accepted, approved, declined.'],
  ['steps: { capture: { later: { after: PT2S } } }',                '"later" is not known here: give outcome, code, decline, statusInfo, providerDetails, fault.'],
  ['steps: { refund: { outcome: approved, later: { after: PT2S } } }', 'steps.refund.later requires a refund with outcome accepted: set it, or leave this out.'],
  ['steps: { refund: { later: { after: PT2S } } }',                 'steps.refund.later requires a refund with outcome accepted: set it, or leave this out.'],
  ['steps: { refund: { outcome: accepted, later: { after: PT2S, outcome: declined } } }', 'steps.refund.later.outcome is declined without a reason: add a decline.'],
  ['steps: { refund: { outcome: accepted, later: { after: PT2S, outcome: approved, decline: BANK_TIMEOUT } } }', 'steps.refund.later.decline is a reason for a decline, and the outcome is approved: keep one of the two.'],
  ['steps: { refund: { outcome: accepted, later: { outcome: approved } } }', 'steps.refund.later.after is missing: add an ISO 8601 duration of days, hours, minutes and seconds, such as "PT2S".'],
  ['steps: { capture: { outcome: declined } }',                     'steps.capture.outcome is declined without a reason: add a code, a decline or a statusInfo.'],
  ['steps: { capture: { outcome: approved, decline: BANK_TIMEOUT } }', 'steps.capture.decline is a reason for a decline, and the outcome is approved: set declined, or leave the decline out.'],
  ["steps: { capture: { code: '3001' } }",                          'steps.capture.code is a code of BLIK, and the scenario applies to IRIS too: say providers: [BLIK], or give a code for each provider.'],
  ["providers: [IRIS], steps: { capture: { code: '3001' } }",       'steps.capture.code is a code of BLIK, and the scenario applies to IRIS alone: give a code of IRIS, or say providers: [BLIK].'],
  ['providers: [BLIK], shopper: { code: TIMEOUT }',                 'shopper.code is a code of IRIS, and the scenario applies to BLIK alone: give a code of BLIK, or say providers: [IRIS].'],
  ["providers: [BLIK], steps: { capture: { code: 3001 } }",         'steps.capture.code is the number 3001: put it in quotes and give a code of a provider (7.5), such as "3001".'],
  ["providers: [BLIK], steps: { capture: { code: { BLIK: 3001 } } }", 'steps.capture.code.BLIK is the number 3001: put it in quotes and give one of 3001, 3002, 3003, 3004.'],
  ["providers: [BLIK], steps: { capture: { code: '3009' } }",       'steps.capture.code is "3009": did you mean 3001? There are 3001, 3002, 3003, 3004, DMSP1000, DMSP1003, DMSP1010, DMSP1104, DMSP1109, DMSP1112, DMSP1120, DMSP1140, TIMEOUT, AUTHORISINGPARTYABORTED.'],
  ["shopper: { code: { BLIK: '3002' } }",                           'shopper.code has none for IRIS: add it, or list the others in providers.'],
  ["shopper: { code: { BLIK: TIMEOUT, IRIS: TIMEOUT } }",           'shopper.code.BLIK is "TIMEOUT": give one of 3001, 3002, 3003, 3004.'],
  ["providers: [BLIK], shopper: { code: { BLIK: '3002', IRIS: TIMEOUT } }", 'shopper.code.IRIS has a code for IRIS, and providers does not name IRIS: leave it out.'],
  ["shopper: { code: { VISA: '1' } }",                              '"VISA" is not known here: did you mean IRIS?'],
  ['shopper: { code: [TIMEOUT] }',                                  'shopper.code is ["TIMEOUT"]: give a code of a provider (7.5), such as "3001".'],
  ["steps: { initiate: { providerDetails: { registeredAt: '2030-99-99T99:99:99Z' } } }", 'steps.initiate.providerDetails.registeredAt is "2030-99-99T99:99:99Z": give an existing time in UTC as ISO 8601, such as "2030-01-31T12:00:00Z".'],
  ["steps: { refund: { providerDetails: { registeredAt: '2030-02-31T12:00:00Z' } } }", 'steps.refund.providerDetails.registeredAt is "2030-02-31T12:00:00Z": give an existing time in UTC as ISO 8601, such as "2030-01-31T12:00:00Z".'],
  ["steps: { initiate: { providerDetails: { expiresAt: '2030-01-31' } } }", 'steps.initiate.providerDetails.expiresAt is "2030-01-31": give an existing time in UTC as ISO 8601, such as "2030-01-31T12:00:00Z".'],
  ["steps: { cancel: { statusInfo: { reasonCode: '1001', message: x } } }", 'steps.cancel.statusInfo has a reason without an outcome: add the outcome.'],
  ["steps: { refund: { statusInfo: { reasonCode: '1001', message: x }, providerDetails: { providerTransactionId: P } } }", 'steps.refund.statusInfo has a reason without an outcome: add the outcome.'],
  ["shopper: { outcome: approved, statusInfo: { reasonCode: '-1', message: x } }", 'shopper.statusInfo is a reason for a decline, and the outcome is approved: set declined, or leave the statusInfo out.'],
  ["shopper: { after: PT2S, statusInfo: { reasonCode: '-1', message: x } }", 'shopper.statusInfo has a reason without an outcome: add outcome: declined.'],
  ["shopper: { outcome: lapsed, statusInfo: { reasonCode: '2000', message: x } }", 'shopper.statusInfo is a reason for a decline, and the outcome is lapsed: set declined, or leave the statusInfo out.'],
  ['shopper: { outcome: lapsed, after: PT2S }',                     'shopper.after has no effect, since a lapsed decision never arrives: leave it out.'],
  ['shopper: { outcome: lapsed, decline: BANK_TIMEOUT }',           'shopper.decline is a reason for a decline, and the outcome is lapsed: set declined, or leave the decline out.'],
  ["shopper: { statusInfo: { reasonCode: '2000', message: x } }",   'shopper.statusInfo has a reason without an outcome: add outcome: declined.'],
  ["shopper: { decline: BANK_TIMEOUT, statusInfo: { reasonCode: '2000', message: x } }", 'shopper.statusInfo duplicates the decline: keep one of the two.'],
  ["providers: [BLIK], shopper: { decline: BANK_TIMEOUT, code: '3002' }", 'shopper.decline conflicts with the code: keep one of the two.'],
  ["shopper: { outcome: declined, statusInfo: { reasonCode: '7001', message: x } }", 'shopper.statusInfo.reasonCode is "7001": give -1, or four digits of a family of 7.2: 1xxx, 2xxx, 3xxx, 4xxx, 5xxx, 6xxx, 8xxx, 9xxx, such as "1001".'],
  ['settlement: { after: }',                                        'settlement.after is empty: give an ISO 8601 duration of days, hours, minutes and seconds, such as "PT2S".'],
  ['shopper:',                                                      'shopper is empty: give entries of name: value, or leave it out.'],
  ['shopper: {}',                                                   'shopper is empty: fill it, or leave it out.'],
  ['steps: { capture: { fault: { kind: timeout } } }',              'steps.capture.fault.done is missing: give one of yes, no, late.'],
  ['steps: { capture: { fault: { kind: reset, done: late } } }',    'steps.capture.fault.done is "late": give one of yes, no.'],
  ['steps: { capture: { fault: { kind: error, done: yes } } }',     'steps.capture.fault.done does not apply to the kind error: leave it out.'],
  ['steps: { capture: { fault: { kind: error, after: PT2S } } }',   'steps.capture.fault.after does not apply to the kind error: leave it out.'],
  ['steps: { capture: { fault: { kind: timeout, done: late } } }',  'steps.capture.fault.after is missing: give an ISO 8601 duration of days, hours, minutes and seconds such as PT30S, up to P365D.'],
  ['steps: { capture: { fault: { kind: error, times: 0 } } }',      'steps.capture.fault.times is 0: give a whole number from 1 to 1000.'],
  ['steps: { capture: { fault: { kind: crash } } }',                'steps.capture.fault.kind is "crash": give one of error, timeout, internal, locked, limited, reset, slow, dribble, truncated, missigned, tampered.'],
  ['settlement: { after: 2s }',                                     'settlement.after is "2s": give an ISO 8601 duration of days, hours, minutes and seconds, such as "PT2S".'],
  ['settlement: { after: P1W }',                                    'settlement.after is "P1W": give an ISO 8601 duration of days, hours, minutes and seconds, such as "PT2S".'],
  ['settlement: { after: 2 }',                                      'settlement.after is the number 2: put it in quotes and give an ISO 8601 duration of days, hours, minutes and seconds, such as "PT2S".'],
  ['dispute: { after: P1D, outcome: won }',                         'dispute.outcome has an outcome without a time: add decidedAfter.'],
  ['dispute: { after: P1D, decidedAfter: P1D }',                    'dispute.decidedAfter has a time without an outcome: add outcome.'],
  ['webhooks: [{ do: drop, after: PT2S }]',                         'webhooks.0.after does not apply to drop: leave it out.'],
  ['webhooks: [{ do: drop, on: PAYMENT_CAPTUR }]',                  'webhooks.0.on is "PAYMENT_CAPTUR": did you mean PAYMENT_CAPTURE? There are PAYMENT_INITIATE, PAYMENT_FINALIZE, PAYMENT_CAPTURE, PAYMENT_REFUND, PAYMENT_DISPUTE.'],
  ['magic: 0300',                                                   'magic is the number 300: put it in quotes and give four digits, such as "9001".'],
  ["magic: '12'",                                                   'magic is "12": give four digits, such as "9001".'],
  ['providers: [BLIK, BLIK]',                                       'providers has "BLIK" twice: drop one.'],
  ['providers: [IRIS], steps: { charge: { outcome: approved } }',   'steps.charge is never reached: of the providers only BLIK takes charges.'],
  ['clauses: R4',                                                   'clauses is "R4": give a list of clauses.'],
]

describe('2.7: an error in a scenario file has its position and a remedy', () => {
  test.each(MEMBERS)('%s', (members, sentence) => {
    expect(told(members)).toEqual([`2: ${sentence}`])
  })

  test.each([
    ['', '1:1: The file is no list of scenarios: begin it with "scenarios:".'],
    ['- a', '1:1: The file is no list of scenarios: begin it with "scenarios:".'],
    ['scenarios:', '1:11: scenarios is empty: give a list of scenarios.'],
    ['scenarios: []', '1:12: scenarios is empty: fill it.'],
    [
      'scenarios: [{ name: A, title: }]',
      '1:31: title is empty: give one sentence, such as "The bank says that there is not enough money.".',
    ],
    ['scenario: []\nscenarios: [{ name: A, title: A. }]', '1:1: "scenario" is not known here: did you mean scenarios?'],
    [
      'scenarios:\n  - title: x',
      '2:5: name is missing: add a name of at most 64 capital letters, digits and underscores, such as "MY_SHOP_RUNS_OUT".',
    ],
    ['scenarios:\n  - true', '2:5: scenarios.0 is true: give entries of name: value.'],
    [
      'scenarios:\n  - name: A\n    title: A.\n    title: B.',
      '4:5: This cannot be read as YAML: Map keys must be unique.',
    ],
    ['scenarios:\n  - { name: A, title: A., x', /^2:\d+: This cannot be read as YAML: .*\.$/],
    ['scenarios:\n  - &a { name: A, title: A. }\n  - *a', '3:5: An alias is not allowed here: write out its value.'],
    ['scenarios: !!js/function x', /^1:12: This cannot be read as YAML: Unresolved tag/],
    ['scenarios: []\n---\nscenarios: []', /^\d:\d+: This cannot be read as YAML: .*document/],
  ])('%j', (text, sentence) => {
    const [first] = parseScenarioFile('own.yaml', text, checkShape).mistakes
    const line = `${first?.line}:${first?.column}: ${first?.sentence}`
    if (typeof sentence === 'string') expect(line).toBe(sentence)
    else expect(line).toMatch(sentence)
  })

  test('the position is that of the value or of the unknown name; errors come in the order of the file', () => {
    const text =
      'scenarios:\n  - name: A\n    title: A.\n    steps:\n      capture:\n        outcome: maybe\n    zzz: 1\n'
    const places = parseScenarioFile('own.yaml', text, checkShape).mistakes.map(({ file, line, column }) => [
      file,
      line,
      column,
    ])
    expect(places).toEqual([
      ['own.yaml', 6, 18],
      ['own.yaml', 7, 5],
    ])
  })
})
