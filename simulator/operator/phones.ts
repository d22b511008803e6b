import type { PhoneView } from '../../hosted-pages/port.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { type Mandate, standingOf } from '../payments/mandate.ts'
import { BLIK_BANKS, bankOf, type Phone } from '../providers/blik-banks.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'
import { displayName } from './shopper-view.ts'

/** Shoppers' phones: each has the app of one invented bank, and its own codes and kept shops. */
export const createPhones = ({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }) => {
  const viewOf = async (organizationId: string, phone: Phone): Promise<PhoneView> => {
    const mandates = await store.mandatesOfPhone(organizationId, phone.phoneId)
    const now = clock.now(organizationId)
    const { phoneId } = phone
    return { phoneId, organizationId, bank: bankOf(phone), shops: mandates.map(mandate => shopOf(mandate, now)) }
  }

  return {
    banks: BLIK_BANKS,

    /** Whoever is told its id holds it. */
    create: async (organizationId: string, bankId: string): Promise<PhoneView> => {
      const bank = BLIK_BANKS.find(({ id }) => id === bankId)
      const known = BLIK_BANKS.map(({ id }) => id).join(', ')
      if (!bank) throw new OperatorError('invalid', `bank is ${JSON.stringify(bankId)}: give one of ${known}.`)
      const phone = { phoneId: ids.secret(), bankId: bank.id }
      await store.addPhone(organizationId, phone)
      return viewOf(organizationId, phone)
    },

    find: async (organizationId: string, phoneId: string): Promise<PhoneView | undefined> => {
      const phone = await store.phone(organizationId, phoneId)
      return phone && viewOf(organizationId, phone)
    },
  }
}

const shopOf = (mandate: Mandate, now: number): PhoneView['shops'][number] => ({
  paymentToken: mandate.paymentToken,
  payee: displayName(mandate.organizationId),
  payerId: mandate.payerId,
  keptAt: mandate.createdAt,
  standing: standingOf(mandate, now),
})
