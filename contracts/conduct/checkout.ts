/** What shoppers expect of the page on which they type a BLIK code; judged by using it in a browser. */
export const CHECKOUT_RULES = [
  {
    id: 'BCL-01',
    title: 'the field asks for digits, and its label says for what',
    why: 'A phone shows the keys that the field asks for; without a label nobody hears what it is for.',
  },
  {
    id: 'BCL-02',
    title: 'six digits are shown as three and three',
    why: 'Bank apps show the code so; what looks alike is typed without mistakes.',
  },
  {
    id: 'BCL-03',
    title: 'a seventh digit and letters are not taken',
    why: 'What cannot be a code should be seen before the shop asks the bank.',
  },
  {
    id: 'BCL-04',
    title: 'the button works once',
    why: 'A second press is a second payment, or at least a second call.',
  },
  {
    id: 'BCL-05',
    title: 'after the code the shopper is told to confirm in the bank app',
    why: 'The shopper has 45 seconds, on another screen than this one.',
  },
  {
    id: 'BCL-06',
    title: 'a refused code is explained, and can be typed again',
    why: 'Codes are mistyped and run out: that is no reason to lose the order.',
  },
] as const

export type CheckoutRuleId = (typeof CHECKOUT_RULES)[number]['id']
