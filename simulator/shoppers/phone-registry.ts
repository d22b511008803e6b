import { type Mandate, mandateStatusAt } from '../payments/mandate.ts'
import { BLIK_BANKS, bankOfPhone, type Phone } from '../providers/blik-banks.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Ids } from '../support/ids.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'
import { toDisplayName } from './bank-app-payment-view.ts'

/** Number of phones of one organization beyond which nobody makes another. */
export const MAX_PHONES = 10_000
/** Number of phones beyond which the pages make none, as everybody reaches them: the others are left to control. */
export const MAX_PHONES_BY_PAGES = 5_000
/** Mandates of a phone that are looked at, newest first. */
export const PHONE_MANDATES = 100

/** Creates the registry of simulated phones: each has the app of a fictional bank, with BLIK codes and mandates. */
export const createPhoneRegistry = ({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }) => {
  const viewOf = async (organizationId: string, phone: Phone) => {
    const mandates = await store.mandatesOfPhone(organizationId, phone.phoneId, PHONE_MANDATES)
    const now = clock.now(organizationId)
    const { phoneId } = phone
    return { phoneId, organizationId, bank: bankOfPhone(phone), shops: mandates.map(mandate => shopOf(mandate, now)) }
  }

  const oneAtATime = createOneAtATime()
  const add = async (organizationId: string, phone: Phone, most: number): Promise<void> => {
    if ((await store.phoneCount(organizationId)) < most) return store.addPhone(organizationId, phone)
    throw new ControlError(
      'conflict',
      `Organization ${organizationId} has ${most} phones, the most there may be: reset it, or use one of them.`,
    )
  }

  return {
    banks: BLIK_BANKS,

    /** Creates a phone with the app of a bank, for a page or for control; its id is a secret that gives access to it. */
    create: async (organizationId: string, bankId: string, maker: 'page' | 'control' = 'control') => {
      const bank = BLIK_BANKS.find(({ id }) => id === bankId)
      const known = BLIK_BANKS.map(({ id }) => id).join(', ')
      if (!bank) throw new ControlError('invalid', `bank is ${JSON.stringify(bankId)}: give one of ${known}.`)
      const phone = { phoneId: ids.secret(), bankId: bank.id }
      await oneAtATime(organizationId, () =>
        add(organizationId, phone, maker === 'page' ? MAX_PHONES_BY_PAGES : MAX_PHONES),
      )
      return viewOf(organizationId, phone)
    },

    find: async (organizationId: string, phoneId: string) => {
      const phone = await store.phone(organizationId, phoneId)
      return phone && viewOf(organizationId, phone)
    },
  }
}

const shopOf = (mandate: Mandate, now: number) => ({
  paymentToken: mandate.paymentToken,
  payee: toDisplayName(mandate.organizationId),
  payerId: mandate.payerId,
  keptAt: mandate.createdAt,
  standing: mandateStatusAt(mandate, now),
})
