import type { CodeView, PagesPort, ShopperAction, ShopperView } from '../../hosted-pages/port.ts'

type Payment = Omit<ShopperView, 'now'>
type Code = Pick<CodeView, 'codeId' | 'organizationId' | 'code' | 'expiresAt'> & { payment?: Payment }

const ORGANIZATIONS = ['demo-merchant', 'second-shop']
const RESULT = { approve: 'approved', decline: 'declined' } as const

/** An operator in memory, for the pages alone: its clock stands still until it is advanced. */
export function createFakePort() {
  let now = Date.parse('2026-03-02T09:30:00Z')
  let made = 0
  const codes = new Map<string, Code>()
  const redirects = new Map<string, Payment>()
  const decisions: string[] = []

  const judged = (payment: Payment): ShopperView => {
    if (payment.outcome === 'waiting' && now >= payment.expiresAt) payment.outcome = 'expired'
    return { ...payment, now }
  }
  const view = (code: Code): CodeView => {
    const { payment, ...rest } = code
    return { ...rest, now, ...(payment && { payment: judged(payment) }) }
  }
  const payments = () => [...codes.values()].flatMap(({ payment }) => payment ?? []).concat([...redirects.values()])

  const port: PagesPort = {
    organizations: async () => ORGANIZATIONS.map(organizationId => ({ organizationId, now })),
    organization: async organizationId =>
      ORGANIZATIONS.includes(organizationId) ? { organizationId, now } : undefined,
    layersOff: () => ['certificate at http://localhost:8081', 'token'],
    async createCode(organizationId) {
      made += 1
      const code = { codeId: `code-${made}`, organizationId, code: String(407_000 + made), expiresAt: now + 120_000 }
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
      now += seconds * 1000
    },
    /** A shop sends a payment to the phone that shows this code. */
    push(digits: string, about: Partial<Payment> = {}) {
      const code = [...codes.values()].find(one => one.code === digits)
      if (!code) throw new Error(`no code ${digits}`)
      code.payment = { ...payment(about), currency: 'PLN', expiresAt: now + 45_000, ...about }
    },
    /** A shop starts an IRIS payment; the answer is the path of its redirect URL. */
    redirect(about: Partial<Payment> = {}): string {
      made += 1
      const redirectId = `redirect-${made}`
      redirects.set(redirectId, { ...payment(about), currency: 'EUR', expiresAt: now + 1_800_000, ...about })
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
      expiresAt: now,
      ...about,
    }
  }
}
