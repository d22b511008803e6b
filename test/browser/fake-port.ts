import type { CodeView, PagesPort, ShopperAction, ShopperView } from '../../hosted-pages/port.ts'

type Payment = Omit<ShopperView, 'now' | 'rate'>
type Code = Pick<CodeView, 'codeId' | 'organizationId' | 'code' | 'expiresAt'> & { payment?: Payment }

const ORGANIZATIONS = ['demo-merchant', 'second-shop']
const RESULT = { approve: 'approved', decline: 'declined' } as const

/** An operator in memory, for the pages alone: its clock stands still until it is advanced or let run. */
export function createFakePort() {
  let clock = { anchor: Date.parse('2026-03-02T09:30:00Z'), rate: 0, since: 0 }
  let made = 0
  const codes = new Map<string, Code>()
  const redirects = new Map<string, Payment>()
  const decisions: string[] = []

  const timeNow = () => Math.floor(clock.anchor + (performance.now() - clock.since) * clock.rate)
  const time = () => ({ now: timeNow(), rate: clock.rate })
  const goOn = (change: { anchor?: number; rate?: number }) => {
    clock = { anchor: timeNow(), rate: clock.rate, since: performance.now(), ...change }
  }

  const judged = (payment: Payment): ShopperView => {
    if (payment.outcome === 'waiting' && timeNow() >= payment.expiresAt) payment.outcome = 'expired'
    return { ...payment, ...time() }
  }
  const view = (code: Code): CodeView => {
    const { payment, ...rest } = code
    return { ...rest, ...time(), ...(payment && { payment: judged(payment) }) }
  }
  const payments = () => [...codes.values()].flatMap(({ payment }) => payment ?? []).concat([...redirects.values()])

  const port: PagesPort = {
    organizations: async () => ORGANIZATIONS.map(organizationId => ({ organizationId, now: timeNow() })),
    organization: async organizationId =>
      ORGANIZATIONS.includes(organizationId) ? { organizationId, now: timeNow() } : undefined,
    layersOff: () => ['certificate at http://localhost:8081', 'token'],
    seed: () => '4711',
    async createCode(organizationId) {
      made += 1
      const code = {
        codeId: `code-${made}`,
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
    async decide(_organizationId, transactionId, action: ShopperAction) {
      const payment = payments().find(one => one.transactionId === transactionId)
      if (!payment) throw new Error(`no payment ${transactionId}`)
      const before = judged(payment)
      decisions.push(`${transactionId} ${action}`)
      if (before.outcome === 'waiting') payment.outcome = RESULT[action]
      return judged(payment)
    },
  }

  return {
    port,
    decisions,
    advance(seconds: number) {
      goOn({ anchor: timeNow() + seconds * 1000 })
    },
    /** Lets the clock run so many times as fast as real time, from where it stands. */
    run: (rate: number) => goOn({ rate }),
    /** A shop sends a payment to the phone that shows this code. */
    push(digits: string, about: Partial<Payment> = {}) {
      const code = [...codes.values()].find(one => one.code === digits)
      if (!code) throw new Error(`no code ${digits}`)
      code.payment = { ...payment(about), currency: 'PLN', expiresAt: timeNow() + 45_000, ...about }
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
