import { deadlinesIn } from '../../payments/deadlines.ts'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import type { Loaded, Save, Store, Unit } from '../port.ts'
import { codeOf, jobOf, organizationOf, paymentRowOf } from '../rows.ts'
import { openArranged } from './arranged.ts'
import { commitTogether } from './commit-together.ts'
import { openDeeds } from './deeds.ts'
import { openFaults } from './faults.ts'
import { hashOf } from './hashes.ts'
import { openIdentities } from './identities.ts'
import { checkedBy, inItsPlace } from './in-its-place.ts'
import { openLateCalls } from './late-calls.ts'
import { openLives } from './lives.ts'
import { openMandates } from './mandates.ts'
import { openMocks } from './mocks.ts'
import { openDatabase } from './open.ts'
import { openPhones } from './phones.ts'
import { openPostings } from './postings.ts'
import { openRetention } from './retention.ts'
import { openSearch } from './search.ts'
import { prepareStatements } from './statements.ts'
import { openWebhooks } from './webhooks.ts'
import { writeBack } from './write-back.ts'

/** The embedded store: one SQLite file, one process. */
export const openSqliteStore = (dataDir: string): Store => {
  const database = openDatabase(dataDir)
  const sql = prepareStatements(database)
  const checkPlace = inItsPlace(database.name)
  const back = writeBack(database)
  const together = commitTogether(database, checkPlace, back.saved)
  const identities = openIdentities(database)
  const mandates = openMandates(database)
  const faults = openFaults(database)
  const lateCalls = openLateCalls(database)
  const mocks = openMocks(database)
  const postings = openPostings(database)
  const lives = openLives(database)
  const search = openSearch(database)
  const webhooks = openWebhooks(database)
  const deeds = openDeeds(database)
  const arrangedBy = openArranged(database)

  const load = ({ organizationId, now, needs }: Unit<unknown>): Loaded => {
    const { transactionId, blikCode, key, providerCall } = needs
    const payment = transactionId === undefined ? undefined : sql.payment.get(transactionId, organizationId)
    const code = blikCode === undefined ? undefined : sql.liveCode.get(organizationId, blikCode, now)
    const known = key === undefined ? undefined : sql.remembered.all(...keyed(organizationId, key), now).at(-1)
    const events = needs.events && transactionId !== undefined && payment ? sql.events.all(transactionId) : []
    const found = payment && (JSON.parse(payment.record) as Payment)
    const mandate = needs.mandate && mandates.find(organizationId, needs.mandate, now)
    const there = providerCall !== undefined || needs.listeners ? arrangedBy(organizationId) : {}
    return {
      payment: found,
      events: events.map(row => JSON.parse(row.record) as PaymentEvent),
      blikCode: code && codeOf(code),
      mandate,
      found: needs.payments && search(organizationId, needs.payments),
      postings: needs.postings ? postings.list(organizationId, needs.postings) : [],
      faults: providerCall === undefined || !there.faults ? [] : faults.waitingFor(organizationId, providerCall),
      faultsMet:
        providerCall === undefined || key === undefined || !there.faultsMet
          ? 0
          : faults.metUnder(organizationId, key, now),
      mocks:
        providerCall === undefined || !there.mocks ? [] : mocks.near(organizationId, now, needs.named, found, mandate),
      late: providerCall === undefined || !there.late ? undefined : lateCalls.find(organizationId, key, transactionId),
      listeners: needs.listeners ? webhooks.listeners(organizationId, there) : undefined,
      remembered: known && { fingerprint: known.fingerprint, reply: { http: known.http, body: known.body } },
    }
  }

  const savePayment = (organizationId: string, payment: Payment): void => {
    const row = paymentRowOf(payment)
    const { transactionId, processingAccountId, clientTransactionId, payerId, providerId, status } = row
    const whose = [transactionId, organizationId, processingAccountId, clientTransactionId] as const
    const { amount, createdAt, redirectId, record } = row
    const hash = hashOf(organizationId, clientTransactionId)
    sql.savePayment.run(...whose, payerId, providerId, status, amount, createdAt, redirectId, record, hash)
  }

  const save = (organizationId: string, saved: Save): void => {
    const { change, usedCodeId, mandate, remember, finishedJobId, spentFaultId, late } = saved
    // A job that a reset or a restore took away meanwhile leaves nothing behind.
    if (finishedJobId !== undefined && sql.deleteJob.run(finishedJobId, organizationId).changes === 0) return
    if (spentFaultId !== undefined) faults.spend(spentFaultId)
    if (late) lateCalls.insert(organizationId, late)
    if (saved.faultMet) faults.meet(organizationId, saved.faultMet)
    if (saved.mock) mocks.insert(organizationId, saved.mock)
    if (saved.usedMock) mocks.use(saved.usedMock)
    if (change && (change.events.length > 0 || change.deadlines.length > 0)) {
      const { payment, events, deadlines } = change
      const { transactionId, processingAccountId: accountId, currency } = payment
      savePayment(organizationId, payment)
      for (const event of events) sql.addEvent.run(transactionId, JSON.stringify(event))
      for (const posting of change.postings)
        postings.add({ ...posting, organizationId, accountId, transactionId, currency })
      if (!change.begins) sql.dropJobs.run(transactionId, JSON.stringify(deadlinesIn(payment.state)))
      for (const { name, dueAt, movementId } of deadlines)
        sql.addJob.run(organizationId, dueAt, name, transactionId, movementId ?? null)
      if (mandate) mandates.insert(mandate)
      if (usedCodeId !== undefined) sql.useCode.run(transactionId, usedCodeId)
    }
    if (saved.deed) deeds.add(organizationId, saved.deed)
    if (saved.told) webhooks.tell(organizationId, saved.told)
    if (remember) {
      const { fingerprint, reply, expiresAt } = remember
      const key = keyed(organizationId, remember.key)
      sql.remember.run(...key, fingerprint, reply.http, reply.body, expiresAt)
    }
  }

  const decide = <Result>(unit: Unit<Result>) => {
    const { result, save: changes = {} } = unit.decide(load(unit))
    const isRead = Object.values(changes).every(change => change === undefined)
    return { result, save: isRead ? undefined : () => save(unit.organizationId, changes) }
  }

  const checkAndCount = (): void => {
    checkPlace()
    back.saved(1)
  }

  return checkedBy(checkAndCount, {
    perform: unit => together.perform(() => decide(unit)),
    nextDue: async organizationId => sql.nextDue.get(organizationId)?.due_at ?? undefined,
    dueJob: async (organizationId, now) => {
      const row = sql.dueJob.get(organizationId, now)
      return row && jobOf(row)
    },

    addOrganization: async organization => {
      database.transaction(() => {
        const { organizationId, accountIds, clock, kit } = organization
        lives.clear(organizationId) // a call that passed the layers before one of this id was removed
        sql.addOrganization.run(organizationId, JSON.stringify(accountIds), kit)
        sql.setClock.run({ ...clock, organizationId })
        identities.insert(organization)
      })()
    },
    organizations: async () => sql.organizations.all().map(organizationOf),
    findOrganizations: async ({ text, from, limit }) => {
      const { fitting, total } = sql.countOrganizations.get(text) ?? { fitting: 0, total: 0 }
      return { found: sql.someOrganizations.all(text, limit, from).map(organizationOf), fitting, all: total }
    },
    organization: async organizationId => {
      const row = sql.organization.get(organizationId)
      return row && organizationOf(row)
    },
    setClock: async (organizationId, clock) => void sql.setClock.run({ ...clock, organizationId }),
    setKit: async (organizationId, kit) => void sql.setKit.run(kit, organizationId),
    setCapabilities: async (organizationId, accountId, overrides) =>
      database.transaction(() => {
        const row = sql.organization.get(organizationId)
        const capabilities = { ...(row && organizationOf(row).capabilities), [accountId]: overrides }
        sql.setCapabilities.run(JSON.stringify(capabilities), organizationId)
      })(),
    ...identities.port,
    ...mandates.port,
    ...faults.port,
    ...mocks.port,
    ...webhooks.port,
    ...deeds.port,
    ...lives.port,
    ...openRetention(database),

    ...openPhones(database),
    addBlikCode: async (organizationId, { codeId, code, expiresAt, recurring, phoneId = null }) =>
      void sql.addCode.run(codeId, organizationId, code, expiresAt, recurring === false ? 0 : 1, phoneId),
    liveBlikCode: async (organizationId, code, now) => {
      const row = sql.liveCode.get(organizationId, code, now)
      return row && codeOf(row)
    },
    blikCodeById: async (organizationId, codeId) => {
      const row = sql.codeById.get(codeId, organizationId)
      return row && codeOf(row)
    },
    paymentByRedirect: async redirectId => {
      const row = sql.paymentByRedirect.get(redirectId)
      return row && (JSON.parse(row.record) as Payment)
    },

    setting: async name => sql.setting.get(name)?.value,
    saveSetting: async (name, value) => void sql.saveSetting.run(name, value),
    close: async () => {
      together.flush()
      back.close()
      database.close()
    },
  })
}

const keyed = (organizationId: string, key: string) => [hashOf(organizationId, key), organizationId, key] as const
