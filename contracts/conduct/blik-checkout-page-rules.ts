/** Rules for a BLIK checkout page, judged in a browser. */
export const BLIK_CHECKOUT_PAGE_RULES = [
  {
    id: 'BCL-01',
    title: 'the field asks for digits and has a label',
    why: 'A phone shows the keyboard that the field asks for; screen readers need a label.',
  },
  {
    id: 'BCL-02',
    title: 'six digits are shown in two groups of three',
    why: 'Bank apps show the code in this form; the same form prevents typing errors.',
  },
  {
    id: 'BCL-03',
    title: 'a seventh digit and letters are not accepted',
    why: 'An invalid code should be detected before the shop calls the bank.',
  },
  {
    id: 'BCL-04',
    title: 'the button works once',
    why: 'A second click is a second payment, or at least a second call.',
  },
  {
    id: 'BCL-05',
    title: 'after the code the shopper is told to confirm in the bank app',
    why: 'The shopper has 45 seconds, on another screen than this one.',
  },
  {
    id: 'BCL-06',
    title: 'a declined code is explained, and can be typed again',
    why: 'Codes are mistyped or expire: that should not lose the order.',
  },
] as const

export type BlikCheckoutPageRuleId = (typeof BLIK_CHECKOUT_PAGE_RULES)[number]['id']
