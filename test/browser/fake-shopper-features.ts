import type { ShopperPageFeatures } from '../../hosted-pages/all-page-routes.ts'
import type { CodeView, KeptShop, Phone } from '../../hosted-pages/blik/phone-and-code-types.ts'
import type { ShopperPayment } from '../../hosted-pages/shopper-payment-and-decision.ts'
import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { createChangeFeed, TOPICS } from '../../simulator/support/change-feed.ts'
import { createFakeShop } from './fake-demo-shop-features.ts'

type Payment = Omit<ShopperPayment, 'now' | 'rate'> & { answeredAt?: number }
type Code = Pick<CodeView, 'codeId' | 'phoneId' | 'organizationId' | 'code' | 'expiresAt'> & { payment?: Payment }

/** More than the first page shows. */
const ORGANIZATIONS = ['demo-merchant', 'second-shop', ...Array.from({ length: 8 }, (_, at) => `shop-${at}`)]
const RESULT = { approve: 'approved', decline: 'declined', lapse: 'expired' } as const

/** Creates an in-memory fake of the features behind the shopper pages; its clock is frozen until a test advances or runs it. */
export function createFakeShopperFeatures() {
  let clock = { anchor: Date.parse('2026-03-02T09:30:00Z'), rate: 0, since: 0 }
  let made = 0
  const codes = new Map<string, Code>()
  const phones = new Map<string, Phone>()
  const redirects = new Map<string, Payment>()
  const decisions: string[] = []

  const changes = createChangeFeed({ first: 1, closing: new AbortController().signal, gap: 5 })
  const changed = () => changes.publish('demo-merchant', TOPICS)

  const timeNow = () => Math.floor(clock.anchor + (performance.now() - clock.since) * clock.rate)
  const time = () => ({ now: timeNow(), rate: clock.rate })
  const goOn = (change: { anchor?: number; rate?: number }) => {
    clock = { anchor: timeNow(), rate: clock.rate, since: performance.now(), ...change }
    changed()
  }

  const judged = (payment: Payment): ShopperPayment => {
    const { answeredAt = Number.POSITIVE_INFINITY, expiresAt } = payment
    if (payment.outcome === 'waiting' && timeNow() >= Math.min(answeredAt, expiresAt))
      payment.outcome = answeredAt < expiresAt ? 'approved' : 'expired'
    const { answeredAt: _, ...rest } = payment
    return { ...rest, ...time(), ...(rest.outcome === 'waiting' && payment.answeredAt ? { confirming: true } : {}) }
  }
  const view = (code: Code): CodeView => {
    const { payment, ...rest } = code
    return { ...rest, ...time(), ...(payment && { payment: judged(payment) }) }
  }
  const payments = () => [...codes.values()].flatMap(({ payment }) => payment ?? []).concat([...redirects.values()])

  const features: ShopperPageFeatures = {
    organizations: {
      async search({ text, from, limit }) {
        const fitting = ORGANIZATIONS.filter(organizationId => organizationId.includes(text))
        const found = fitting.slice(from, from + limit).map(organizationId => ({ organizationId }))
        return { found, fitting: fitting.length, all: ORGANIZATIONS.length }
      },
      find: async organizationId => (ORGANIZATIONS.includes(organizationId) ? { organizationId } : undefined),
    },
    now: timeNow,
    changes,
    rate: () => 1,
    apiUrlAt: host => `https://${host}`,
    layersOff: [{ layer: 'certificate', url: 'http://localhost:8081' }, { layer: 'token' }],
    seed: '4711',
    shop: createFakeShop(),
    phones: {
      banks: BLIK_BANKS,
      async create(organizationId, bankId) {
        const bank = BLIK_BANKS.find(({ id }) => id === bankId)
        if (!bank) throw new Error(`no bank ${bankId}`)
        made += 1
        const phone = { phoneId: `phone-${made}`, organizationId, bank, shops: [] }
        phones.set(phone.phoneId, phone)
        return phone
      },
      async find(organizationId, phoneId) {
        const phone = phones.get(phoneId)
        return phone?.organizationId === organizationId ? phone : undefined
      },
    },
    phoneMemory: {
      async of(organizationId, phoneId) {
        const own = [...codes.values()].filter(
          code => code.phoneId === phoneId && code.organizationId === organizationId,
        )
        const views = own.map(view).reverse()
        const openCode = views.find(({ payment, expiresAt }) => !payment && timeNow() < expiresAt)
        return {
          ...(openCode && { openCode }),
          payments: views.flatMap(({ codeId, payment }) => (payment ? [{ codeId, payment }] : [])).slice(0, 6),
        }
      },
    },
    mandates: {
      async revoke(_organizationId, paymentToken) {
        for (const [phoneId, phone] of phones) {
          const shops = phone.shops.map(shop =>
            shop.paymentToken === paymentToken ? { ...shop, standing: 'revoked' as const } : shop,
          )
          phones.set(phoneId, { ...phone, shops })
        }
      },
    },
    shopper: {
      async createCode(organizationId, { phoneId }) {
        made += 1
        const code = {
          codeId: `code-${made}`,
          phoneId,
          organizationId,
          code: String(407_000 + made),
          expiresAt: timeNow() + 120_000,
        }
        codes.set(code.codeId, code)
        return view(code)
      },
      async code(organizationId, codeId) {
        const code = codes.get(codeId)
        return code?.organizationId === organizationId ? view(code) : undefined
      },
      async redirect(redirectId) {
        const payment = redirects.get(redirectId)
        return payment && judged(payment)
      },
      async decide(_organizationId, transactionId, action, how = {}) {
        const payment = payments().find(one => one.transactionId === transactionId)
        if (!payment) throw new Error(`no payment ${transactionId}`)
        const before = judged(payment)
        decisions.push([transactionId, action, ...Object.values(how)].join(' '))
        if (before.outcome !== 'waiting' || before.confirming) return before
        if (how.after === undefined) payment.outcome = RESULT[action]
        else payment.answeredAt = timeNow() + how.after
        if (how.cause) payment.cause = how.cause
        if (how.keep === false) payment.keeps = false
        changed()
        return judged(payment)
      },
    },
  }

  return {
    features,
    decisions,
    advance(seconds: number) {
      goOn({ anchor: timeNow() + seconds * 1000 })
    },
    /** Lets the clock run so many times as fast as real time, from where it stands. */
    run: (rate: number) => goOn({ rate }),
    now: timeNow,
    /** A phone with the app of a bank, and its address. */
    async phone(bankId = 'modrzew') {
      const { phoneId } = await features.phones.create('demo-merchant', bankId)
      return { phoneId, path: `/blik/demo-merchant/phones/${phoneId}` }
    },
    /** A phone keeps a shop. */
    keep(phoneId: string, shop: Partial<KeptShop> = {}) {
      const phone = phones.get(phoneId)
      if (!phone) throw new Error(`no phone ${phoneId}`)
      made += 1
      const kept = {
        paymentToken: `token-${made}`,
        payee: 'Papierówka Books',
        payerId: 'reader-7',
        standing: 'valid',
      } as const
      phones.set(phoneId, { ...phone, shops: [...phone.shops, { ...kept, keptAt: timeNow(), ...shop }] })
    },
    /** A shop sends a payment to the phone that shows this code. */
    push(digits: string, about: Partial<Payment> = {}) {
      const code = [...codes.values()].find(one => one.code === digits)
      if (!code) throw new Error(`no code ${digits}`)
      code.payment = { ...payment(about), currency: 'PLN', expiresAt: timeNow() + 45_000, ...about }
      changed()
    },
    /** A shop starts an IRIS payment; the answer is the path of its redirect URL. */
    redirect(about: Partial<Payment> = {}): string {
      made += 1
      const redirectId = `redirect-${made}`
      redirects.set(redirectId, { ...payment(about), currency: 'EUR', expiresAt: timeNow() + 1_800_000, ...about })
      return `/iris/${redirectId}`
    },
  }

  function payment(about: Partial<Payment>): Payment {
    return {
      organizationId: 'demo-merchant',
      transactionId: `transaction-${made}`,
      payee: 'Papierówka Books',
      amount: 12_999,
      currency: 'EUR',
      description: 'Order 2041: two atlases',
      transactionType: 'ONE_TIME',
      outcome: 'waiting',
      expiresAt: timeNow(),
      ...about,
    }
  }
}
