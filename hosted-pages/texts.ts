/** Every sentence that a person reads on the pages. A language is a column; `{name}` is filled in when it is said. */
const TEXTS = {
  product: { en: 'Assay sandbox' },
  sandboxMark: { en: 'Sandbox' },
  noRealMoney: { en: 'no real money, no bank' },

  landingTitle: { en: 'A payment sandbox is running here' },
  landingLead: {
    en: 'Shops call the API with their kit. You play the shopper: on a phone for BLIK, at an invented bank for IRIS.',
  },
  layersOff: { en: 'Switched off:' },
  layersOffNote: { en: 'Who shows no certificate is demo-merchant. Every answer says so too.' },
  variety: { en: 'Variety:' },
  varietyNote: { en: 'Answers of the API vary within the contract; the same seed repeats them.' },
  organizations: { en: 'Organizations' },
  noOrganizations: { en: 'There is no organization yet. POST /control/organizations makes one.' },
  clock: { en: 'Clock' },
  openPhone: { en: 'Open the BLIK phone' },
  kit: { en: 'Kit' },
  kitNote: { en: 'certificates and keys for a client, as JSON' },
  journal: { en: 'Journal' },
  journalNote: { en: 'every call and its answer, as JSON' },
  strangers: { en: 'Calls that belong to no organization' },
  strangersNote: { en: 'for instance without a known certificate, as JSON' },

  phoneBank: { en: 'Bank Modrzew' },
  phoneTitle: { en: 'Pay with BLIK' },
  phoneLead: { en: 'Six digits are all a shop needs to ask this phone for a payment.' },
  phoneStep1: { en: 'Make a code here.' },
  phoneStep2: { en: 'Type it in the shop within two minutes.' },
  phoneStep3: { en: 'Come back and approve the payment.' },
  phoneOf: { en: 'Works in the shops of {organization}' },
  newCode: { en: 'Make a BLIK code' },
  anotherCode: { en: 'Make a new code' },
  close: { en: 'Close' },

  codeTitle: { en: 'Your BLIK code' },
  codeLead: { en: 'Type it in the shop. The payment then appears here.' },
  codeLeft: { en: 'Valid for' },
  copy: { en: 'Copy the code' },
  copied: { en: 'Copied' },
  waitingForShop: { en: 'Waiting for the shop' },
  withoutScript: { en: 'This page does not renew itself without JavaScript.' },
  refresh: { en: 'Look for a payment' },
  codeExpiredTitle: { en: 'This code has expired' },
  codeExpiredLead: { en: 'No shop used it in time. Nothing was paid.' },

  askTitle: { en: 'Approve this payment?' },
  askKeepTitle: { en: 'Keep this shop?' },
  keepsShop: { en: 'Keeps this shop for later payments' },
  paysNothing: { en: 'Nothing is paid now' },
  askLeft: { en: 'Time to decide' },
  shop: { en: 'Shop' },
  description: { en: 'For' },
  amount: { en: 'Amount' },
  approve: { en: 'Approve' },
  decline: { en: 'Decline' },
  approvedTitle: { en: 'Payment approved' },
  approvedLead: { en: 'You can go back to the shop now.' },
  keptTitle: { en: 'Shop kept' },
  keptLead: { en: 'It may ask for payments without you, until you revoke that.' },
  declinedTitle: { en: 'Payment declined' },
  declinedLead: { en: 'Nothing was paid. You can go back to the shop.' },
  lapsedTitle: { en: 'Too late to decide' },
  lapsedLead: { en: 'The time for this payment ran out. Nothing was paid.' },

  irisTitle: { en: 'Choose your bank' },
  irisLead: { en: 'You confirm the payment there, then return to the shop.' },
  irisLeft: { en: 'Time to pay' },
  irisPay: { en: 'Pay' },
  irisBanks: { en: 'Banks' },
  cancelPayment: { en: 'Cancel and return to the shop' },
  bankTitle: { en: 'Confirm the payment' },
  payee: { en: 'To' },
  confirm: { en: 'Confirm' },
  cancel: { en: 'Cancel' },
  otherBank: { en: 'Choose another bank' },
  irisApprovedTitle: { en: 'Payment confirmed' },
  irisApprovedLead: { en: 'Your bank accepted this payment. There is nothing more to do here.' },
  irisDeclinedTitle: { en: 'Payment cancelled' },
  irisDeclinedLead: { en: 'Nothing was paid.' },
  irisExpiredTitle: { en: 'This payment request has expired' },
  irisExpiredLead: { en: 'The time to pay ran out. Nothing was paid. Start again in the shop.' },
  returnToShop: { en: 'Return to the shop' },

  notFoundTitle: { en: 'There is nothing at this address' },
  notFoundLead: { en: 'The link may be incomplete, or the sandbox was started anew since it was made.' },
  toStart: { en: 'Go to the start page' },
} as const satisfies Record<string, Record<Language, string>>

export type Language = 'en'
export type TextKey = keyof typeof TEXTS
export type Say = { language: Language; (key: TextKey, values?: Record<string, string>): string }

/** Speaks one language: every view is given this and holds no sentence of its own. */
export function speak(language: Language): Say {
  const say = (key: TextKey, values: Record<string, string> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot)
  return Object.assign(say, { language })
}
