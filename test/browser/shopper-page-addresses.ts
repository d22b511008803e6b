import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { shopPageAddresses } from './fake-demo-shop-features.ts'
import type { createFakeShopperFeatures } from './fake-shopper-features.ts'

const LONG =
  'An order with a-description-that-has-one-very-long-word-of-a-hundred-characters-and-more-in-it-and-goes-on'

/** Creates one address for each shopper page in each of its states, with the clock frozen, for browser tests. */
export async function shopperPageAddresses(
  fake: ReturnType<typeof createFakeShopperFeatures>,
): Promise<[name: string, path: string][]> {
  const phone = await fake.phone()
  const banks = []
  for (const { id, name } of BLIK_BANKS) banks.push([`phone, ${name}`, (await fake.phone(id)).path] as [string, string])
  const code = async () => {
    const { codeId, code: digits } = await fake.features.shopper.createCode('demo-merchant', { phoneId: phone.phoneId })
    return { digits, path: `${phone.path}/codes/${codeId}` }
  }
  fake.keep(phone.phoneId, { payee: LONG, payerId: LONG })
  for (const standing of ['revoked', 'expired'] as const) fake.keep(phone.phoneId, { standing })
  const overdue = await code()
  fake.advance(120)
  const [fresh, pushed] = [await code(), await code()]
  fake.push(pushed.digits, { description: LONG, payee: LONG, amount: 999_999_999_999 })
  const ended = []
  for (const outcome of ['approved', 'declined', 'expired', 'canceled'] as const) {
    const one = await code()
    fake.push(one.digits, { outcome })
    ended.push([`phone, ${outcome}`, one.path] as [string, string])
    ended.push([`bank, ${outcome}`, fake.redirect({ outcome, returnUrl: 'http://localhost/' })] as [string, string])
  }
  const [kept, keptOnly, keptAlready, keptNot] = [await code(), await code(), await code(), await code()]
  const [noMoney, atWork] = [await code(), await code()]
  fake.push(kept.digits, { transactionType: 'RECURRING' })
  fake.push(keptOnly.digits, { transactionType: 'TOKEN_ONLY' })
  fake.push(keptAlready.digits, { transactionType: 'TOKEN_ONLY', outcome: 'approved' })
  fake.push(keptNot.digits, { transactionType: 'RECURRING', outcome: 'approved', keeps: false })
  fake.push(noMoney.digits, { outcome: 'declined', cause: 'INSUFFICIENT_FUNDS' })
  fake.push(atWork.digits, { answeredAt: fake.now() + 60_000 })
  const payment = fake.redirect({ description: LONG, payee: LONG, amount: 999_999_999_999 })
  return [
    ['landing', '/'],
    ['landing, nothing found', '/?q=nobody'],
    ['not found', '/nothing'],
    ['phone, of which organization', '/blik'],
    ['phone, new', '/blik/demo-merchant'],
    ['phone', phone.path],
    ...banks,
    ['code', fresh.path],
    ['code expired', overdue.path],
    ['phone, waiting', pushed.path],
    ['phone, wrong PIN', `${pushed.path}?screen=wrong-pin`],
    ['phone, second consent', `${kept.path}?screen=keep`],
    ['phone, bank at work', atWork.path],
    ['phone, not enough money', noMoney.path],
    ['phone, shop not kept', keptNot.path],
    ['phone, asked to keep the shop', kept.path],
    ['phone, asked for nothing else', keptOnly.path],
    ['phone, shop kept', keptAlready.path],
    ['banks', payment],
    ['bank, sign-in', `${payment}/banks/elaia`],
    ['bank, accounts', `${payment}/banks/asteria/accounts?user=${LONG.slice(0, 40)}`],
    ['bank, confirm', `${payment}/banks/thymari/accounts/savings?user=Maria`],
    ['bank, at work', fake.redirect({ answeredAt: fake.now() + 60_000, returnUrl: 'http://localhost/' })],
    ['bank, left', `${fake.redirect({ outcome: 'approved' })}/left`],
    ['bank, not enough money', fake.redirect({ outcome: 'declined', cause: 'INSUFFICIENT_FUNDS' })],
    ...shopPageAddresses('demo-merchant'),
    ['banks, short', fake.redirect({ description: '' })],
    ...ended,
  ]
}
