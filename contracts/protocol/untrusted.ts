/** Kinds of spoilt answers that only the signature gives away (5.4). */
export const UNTRUSTED: readonly string[] = ['missigned', 'tampered']

/** How a transaction id begins that was put into a tampered answer: no payment has it. As long as what it replaces. */
export const FORGED_ID = '0badc0de'
