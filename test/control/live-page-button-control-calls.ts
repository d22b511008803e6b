const HERE = '/control/organizations/{organizationId}'
const CLOCK = `POST ${HERE}/clock`

/** Control call with an example body that is equivalent to each button of journal, payments, scenarios and clock. */
// biome-ignore format: a table reads by its columns
export const LIVE_BUTTON_CALLS: Readonly<Record<string, readonly [call: string, body: object | undefined] | 'in the browser alone'>> = {
  'journal-pause':  'in the browser alone',
  'journal-apply':  [`GET ${HERE}/journal`, undefined],
  'call-copy-anew': 'in the browser alone',
  'call-copy-python': 'in the browser alone',
  'call-copy-node': 'in the browser alone',
  'call-copy-sent': 'in the browser alone',
  'compare-show':   [`GET ${HERE}/journal`, undefined],
  'payments-find':  [`GET ${HERE}/payments`, undefined],
  'scenarios-show': ['GET /control/scenarios', undefined],
  'mock-set':       [`POST ${HERE}/mocks`, { processingAccountId: 'account-1', key: { type: 'PAYER_ID', value: 'payer-1' }, type: 'MOCK', scenario: 'OK', oneTime: true }],
  'clock-advance':  [CLOCK, { advance: 'PT45S' }],
  'clock-next':     [CLOCK, { advance: 'next' }],
  'clock-drain':    [`POST ${HERE}/clock/drain`, {}],
  'clock-freeze':   [CLOCK, { freeze: true }],
  'clock-real':     [CLOCK, { freeze: false }],
  'clock-scale':    [CLOCK, { scale: 60 }],
}
