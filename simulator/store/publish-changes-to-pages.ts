import type { Topic } from '../support/change-feed.ts'
import { TOPICS } from '../support/change-feed.ts'
import type { Store } from './store.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import type { WriteMethod } from './writing-store-methods.ts'

// biome-ignore format: a table reads by its columns
/** What each writing method of the store changes for whoever looks at its organization; the compiler demands each. */
const CHANGED_TOPICS = {
  addOrganization:          [],
  setClock:                 ['clock'],
  setKit:                   ['keys'],
  setCapabilities:          ['settings'],
  setDialect:               ['settings'],
  resetOrganization:        TOPICS,
  removeOrganization:       TOPICS,
  clearRemovedOrganization: [],
  replaceOrganizationState: TOPICS,
  saveSnapshot:             [],
  deleteSnapshot:           [],
  addCertificate:           ['keys'],
  revokeCertificate:        ['keys'],
  addSigningKey:            ['keys'],
  deregisterSigningKey:     ['keys'],
  setSigningKeyValidity:    ['keys'],
  changeTokens:             ['keys'],
  changeControlTokens:      ['keys'],
  addPhone:                 ['shoppers'],
  addBlikCode:              ['shoppers'],
  revokeMandate:            ['shoppers'],
  addFault:                 ['settings'],
  clearFaults:              ['settings'],
  addEndpoint:              ['webhooks'],
  changeEndpoint:           ['webhooks'],
  removeEndpoint:           ['webhooks'],
  clearInbox:               ['webhooks'],
  addMessage:               ['webhooks'],
  addDeliveries:            ['webhooks'],
  saveAttempt:              ['webhooks'],
  resend:                   ['webhooks'],
  addPlan:                  ['settings'],
  clearPlans:               ['settings'],
  addActivity:              ['clock', 'payments'],
  deleteExpired:            [],
  saveSetting:              [],
  addSetting:               [],
} as const satisfies Readonly<Record<WriteMethod, readonly Topic[]>>

type Publish = (organizationId: string, topics: readonly Topic[]) => void

/** Wraps a store so that every write tells whoever follows its organization what it has changed, once it is saved. */
export const withPageChanges = (store: Store, publish: Publish): Store => {
  const wrapped = Object.entries(CHANGED_TOPICS).flatMap(([name, topics]) => {
    const write = store[name as WriteMethod] as (organizationId: string, ...values: unknown[]) => Promise<unknown>
    const writeAndPublish = async (organizationId: string, ...values: unknown[]) => {
      const result = await write(organizationId, ...values)
      publish(organizationId, topics)
      return result
    }
    return topics.length === 0 ? [] : [[name, writeAndPublish]]
  })
  return {
    ...store,
    ...Object.fromEntries(wrapped),
    transact: async <Result>(unit: UnitOfWork<Result>): Promise<Result> => {
      let isChanged = false
      const result = await store.transact<Result>({
        ...unit,
        decide: loaded => {
          const decided = unit.decide(loaded)
          isChanged = Object.values(decided.save ?? {}).some(change => change !== undefined)
          return decided
        },
      })
      if (isChanged) publish(unit.organizationId, PAYMENT_TOPICS)
      return result
    },
  }
}

/** A unit of work changes a payment, and with it what is notified of it and what a shopper sees. */
const PAYMENT_TOPICS: readonly Topic[] = ['payments', 'webhooks', 'shoppers']
