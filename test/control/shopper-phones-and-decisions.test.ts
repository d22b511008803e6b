import { beforeAll, describe, expect, test } from 'vitest'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { BLIK_BANKS } from '../../simulator/providers/blik-banks.ts'
import { BANK_DECLINE_REASONS } from '../../simulator/providers/shopper-decision.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { controlClient } from '../support/control-client.ts'
import { controlDescription } from '../support/control-description.ts'
import { blikRequest } from '../support/payment-requests.ts'

let simulator: TestSimulator
let merchant: Merchant
let ask: ReturnType<typeof controlClient>

beforeAll(async () => {
  simulator = await startTestSimulator()
  merchant = createMerchant(simulator.credentials)
  ask = controlClient(simulator)
  return async () => {
    await merchant.close()
    await simulator.stop()
  }
})

const HERE = 'organizations/demo-merchant'
const account = () => simulator.credentials.processingAccountIds[0] ?? ''

const codeOn = async (phone?: string): Promise<string> =>
  (await ask('POST', `${HERE}/blik/codes`, phone === undefined ? {} : { phone })).body.code

const pay = async (code: string, transactionType: 'ONE_TIME' | 'RECURRING' = 'ONE_TIME') => {
  const answer = await merchant.initiate({ ...blikRequest(code, { transactionType }), processingAccountId: account() })
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  return answer.body
}
const decide = (transactionId: string, decision: object) =>
  ask('POST', `${HERE}/payments/${transactionId}/shopper`, decision)
const stateOf = async (transactionId: string) => {
  const answer = await merchant.status(transactionId)
  return answer.ok && [answer.body.lifecycle?.state, answer.body.statusInfo.reasonCode]
}

describe('R6, 7.5: phones over control', () => {
  test('a phone creates codes and keeps mandates, and each mandate names its phone', async () => {
    const phone = (await ask('POST', `${HERE}/blik/phones`, { bank: 'jaskolka' })).body
    expect(phone).toEqual({ phoneId: expect.stringMatching(/^[\w-]{22}$/), bank: 'jaskolka', recurring: 'yes' })
    const { transactionId } = await pay(await codeOn(phone.phoneId), 'RECURRING')
    expect((await decide(transactionId, { action: 'approve', keep: 'yes' })).body.outcome).toBe('approved')
    await merchant.finalize({ transactionId, processingAccountId: account() })
    const [mandate] = (await ask('GET', `${HERE}/mandates`)).body.mandates
    expect(mandate.phoneId).toBe(phone.phoneId)
    const page = await fetch(`${simulator.pagesUrl}/blik/demo-merchant/phones/${phone.phoneId}`)
    expect(await page.text()).toContain(mandate.paymentToken)
  })

  test('a bank without recurring payments declines a payment that asks for a mandate', async () => {
    const { phoneId, recurring } = (await ask('POST', `${HERE}/blik/phones`, { bank: 'zuraw' })).body
    expect(recurring).toBe('no')
    const { status, providerDetails } = await pay(await codeOn(phoneId), 'RECURRING')
    expect([status, providerDetails.providerStatusInfo?.reasonCode]).toEqual(['DECLINED', '3004'])
  })

  test('a phone belongs to the first bank by default, and the description lists all banks', async () => {
    expect((await ask('POST', `${HERE}/blik/phones`)).body.bank).toBe(BLIK_BANKS[0].id)
    const { bank } = (controlDescription.components.schemas.NewPhone as { properties: { bank: { enum: string[] } } })
      .properties
    expect(bank.enum).toEqual(BLIK_BANKS.map(({ id }) => id))
  })

  test.each([
    ['blik/phones', { bank: 'none' }, 400, 'bank is "none": give one of modrzew'],
    ['blik/codes', { phone: 'none' }, 404, 'There is no phone none'],
    ['blik/codes', { phone: 'none', recurring: 'no' }, 400, 'give phone or recurring, not both'],
  ])('%s %j is refused with %i', async (path, body, status, sentence) => {
    const answer = await ask('POST', `${HERE}/${path}`, body)
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)])
  })
})

describe('3, 7.5, D-104: the shopper’s decisions over control', () => {
  test.each([
    [{ action: 'approve' }, 'approved', ['AUTHENTICATED', '-1']],
    [{ action: 'decline' }, 'declined', ['DECLINED', '2001']],
    [{ action: 'decline', cause: 'INSUFFICIENT_FUNDS' }, 'declined', ['DECLINED', '1001']],
    [{ action: 'decline', cause: 'AMOUNT_LIMIT_EXCEEDED' }, 'declined', ['DECLINED', '1003']],
    [{ action: 'lapse' }, 'expired', ['EXPIRED', '2000']],
    [{ action: 'approve', after: 'PT30S' }, 'waiting', ['AWAITING_SHOPPER', '-1']],
  ])('%j', async (decision, outcome, state) => {
    const { transactionId } = await pay(await codeOn())
    const answer = await decide(transactionId, decision)
    expect([answer.status, answer.body]).toEqual([200, { transactionId, outcome }])
    expect(await stateOf(transactionId)).toEqual(state)
    expect((await decide(transactionId, decision)).status).toBe(409)
  })

  test('approving with keep: no creates no mandate', async () => {
    const { transactionId } = await pay(await codeOn(), 'RECURRING')
    await decide(transactionId, { action: 'approve', keep: 'no' })
    const answer = await merchant.finalize({ transactionId, processingAccountId: account() })
    expect(answer.ok && answer.body.payerDetails).toEqual({ payerId: 'payer-1' })
  })

  test.each([
    [{}, 'action is missing'],
    [{ action: 'steal' }, 'give one of approve, decline, lapse'],
    [{ action: 'decline', cause: 'BAD_MOOD' }, 'cause is "BAD_MOOD"'],
    [{ action: 'decline', cause: 'constructor' }, 'cause is "constructor"'],
    [{ action: 'approve', cause: 'INSUFFICIENT_FUNDS' }, 'cause goes with decline only'],
    [{ action: 'decline', keep: 'no' }, 'keep goes with approve only'],
    [{ action: 'approve', keep: 'perhaps' }, 'keep is "perhaps"'],
    [{ action: 'lapse', after: 'PT5S' }, 'after goes with approve only'],
    [{ action: 'approve', after: 'soon' }, 'after is "soon"'],
  ])('the invalid decision %j is refused with 400 and changes nothing', async (decision, sentence) => {
    const { transactionId } = await pay(await codeOn())
    const answer = await decide(transactionId, decision)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(sentence)])
    expect(await stateOf(transactionId)).toEqual(['AWAITING_SHOPPER', '-1'])
  })

  test('the description lists every cause', () => {
    const { ShopperAction } = controlDescription.components.schemas as {
      ShopperAction: { properties: { cause: { enum: string[] } } }
    }
    expect(ShopperAction.properties.cause.enum).toEqual(BANK_DECLINE_REASONS)
  })
})
