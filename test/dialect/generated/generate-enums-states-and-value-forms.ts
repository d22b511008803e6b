import fc from 'fast-check'

const STATUSES = ['PENDING', 'ACCEPTED', 'APPROVED', 'DECLINED', 'CANCELED']
const TYPES = ['ONE_TIME', 'RECURRING', 'TOKEN_ONLY']

/** Generates words for some of these, all in lower case or each by a number. */
const generateWordsFor = (words: readonly string[], prefix: string) =>
  fc
    .tuple(fc.subarray([...words]), fc.boolean())
    .map(([chosen, isNumbered]) =>
      Object.fromEntries(
        chosen.map(word => [word, isNumbered ? `${prefix}${words.indexOf(word)}` : word.toLowerCase()]),
      ),
    )

/** fast-check arbitrary of `enums` of a generated dialect; a member without a word of its own has no line. */
export const generateWords = fc
  .record({
    status: generateWordsFor(STATUSES, 'S'),
    transactionType: generateWordsFor(TYPES, 'T'),
    channel: generateWordsFor(['WEB'], 'C'),
    scenario: generateWordsFor(['OK'], 'GO'),
  })
  .map(lines => Object.fromEntries(Object.entries(lines).filter(([, words]) => Object.keys(words).length > 0)))

const OWN = {
  waiting: ['AWAITING_SHOPPER'],
  authenticated: ['AUTHENTICATED'],
  authorized: ['AUTHORIZED'],
  captured: ['PARTIALLY_CAPTURED', 'CAPTURED'],
  settled: ['SETTLED'],
  refunded: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  declined: ['DECLINED'],
  expired: ['EXPIRED'],
  canceled: ['CANCELED'],
}

const COARSE = {
  ...{ waiting: ['OPEN'], authenticated: ['OPEN'], authorized: ['ACTIVE'], captured: ['ACTIVE'], settled: ['ACTIVE'] },
  ...{ refunded: ['ACTIVE'], declined: ['ENDED'], expired: ['ENDED'], canceled: ['ENDED'] },
}

const renamed = Object.fromEntries(
  Object.entries(OWN).map(([stage, words]) => [stage, words.map(word => word.toLowerCase().replace('_', '-'))]),
)

/** fast-check arbitrary of `states` of a generated dialect: our own, other words for each, or one word for several stages. */
export const generateStates = fc.constantFrom(OWN, renamed, COARSE)

/** fast-check arbitrary of forms of values in a generated dialect. */
export const generateForms = fc.record({
  amounts: fc.constantFrom('minor' as const, 'minor-text' as const, 'major' as const, 'major-text' as const),
  times: fc.constantFrom('iso' as const, 'epoch' as const, 'epoch-ms' as const),
  reasonCodes: fc.constantFrom('text' as const, 'number' as const),
})
