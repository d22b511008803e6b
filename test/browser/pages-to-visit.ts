import type { createFakePort } from './fake-port.ts'

const LONG =
  'An order with a-description-that-has-one-very-long-word-of-a-hundred-characters-and-more-in-it-and-goes-on'

/** One address for each page in each of its states; the clock stands still while they are visited. */
export async function everyPage(fake: ReturnType<typeof createFakePort>): Promise<[name: string, path: string][]> {
  const code = async () => {
    const { codeId, code: digits } = await fake.port.createCode('demo-merchant')
    return { digits, path: `/blik/demo-merchant/codes/${codeId}` }
  }
  const overdue = await code()
  fake.advance(120)
  const [fresh, pushed] = [await code(), await code()]
  fake.push(pushed.digits, { description: LONG, payee: LONG, amount: 999_999_999_999 })
  const ended = []
  for (const outcome of ['approved', 'declined', 'expired'] as const) {
    const one = await code()
    fake.push(one.digits, { outcome })
    ended.push([`phone, ${outcome}`, one.path] as [string, string])
    ended.push([`bank, ${outcome}`, fake.redirect({ outcome, returnUrl: 'http://localhost/' })] as [string, string])
  }
  const [kept, keptOnly, keptAlready] = [await code(), await code(), await code()]
  fake.push(kept.digits, { transactionType: 'RECURRING' })
  fake.push(keptOnly.digits, { transactionType: 'TOKEN_ONLY' })
  fake.push(keptAlready.digits, { transactionType: 'TOKEN_ONLY', outcome: 'approved' })
  const payment = fake.redirect({ description: LONG, payee: LONG, amount: 999_999_999_999 })
  return [
    ['landing', '/'],
    ['not found', '/nothing'],
    ['phone', '/blik/demo-merchant'],
    ['code', fresh.path],
    ['code expired', overdue.path],
    ['phone, waiting', pushed.path],
    ['phone, asked to keep the shop', kept.path],
    ['phone, asked for nothing else', keptOnly.path],
    ['phone, shop kept', keptAlready.path],
    ['banks', payment],
    ['bank', `${payment}/banks/elaia`],
    ['banks, short', fake.redirect({ description: '' })],
    ...ended,
  ]
}
