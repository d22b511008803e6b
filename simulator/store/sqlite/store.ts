import { deadlinesIn } from '../../payments/deadlines.ts'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import type { Loaded, Save, Store, Unit } from '../port.ts'
import { openDatabase } from './open.ts'
import { codeOf, jobOf, keyOf, organizationOf } from './rows.ts'
import { prepareStatements } from './statements.ts'

/** The embedded store: one SQLite file, one process. */
export const openSqliteStore = (dataDir: string): Store => {
  const database = openDatabase(dataDir)
  const sql = prepareStatements(database)

  const load = ({ organizationId, now, needs }: Unit<unknown>): Loaded => {
    const { transactionId, blikCode, key } = needs
    const payment = transactionId === undefined ? undefined : sql.payment.get(transactionId, organizationId)
    const code = blikCode === undefined ? undefined : sql.liveCode.get(organizationId, blikCode, now)
    const known = key === undefined ? undefined : sql.remembered.get(organizationId, key, now)
    const events = needs.events && transactionId !== undefined && payment ? sql.events.all(transactionId) : []
    return {
      payment: payment && (JSON.parse(payment.record) as Payment),
      events: events.map(row => JSON.parse(row.record) as PaymentEvent),
      blikCode: code && codeOf(code),
      remembered: known && { fingerprint: known.fingerprint, reply: { http: known.http, body: known.body } },
    }
  }

  const save = (organizationId: string, { change, usedCodeId, remember, finishedJobId }: Save): void => {
    if (finishedJobId !== undefined) sql.deleteJob.run(finishedJobId)
    if (change && change.events.length > 0) {
      const { payment, events, deadlines } = change
      const { transactionId } = payment
      sql.savePayment.run(transactionId, organizationId, payment.provider.redirectId ?? null, JSON.stringify(payment))
      for (const event of events) sql.addEvent.run(transactionId, JSON.stringify(event))
      sql.dropJobs.run(transactionId, JSON.stringify(deadlinesIn(payment.state)))
      for (const { name, dueAt, movementId } of deadlines)
        sql.addJob.run(organizationId, dueAt, name, transactionId, movementId ?? null)
      if (usedCodeId !== undefined) sql.useCode.run(transactionId, usedCodeId)
    }
    if (remember)
      sql.remember.run(
        organizationId,
        remember.key,
        remember.fingerprint,
        remember.reply.http,
        remember.reply.body,
        remember.expiresAt,
      )
  }

  const performNow = database.transaction((unit: Unit<unknown>) => {
    const { result, save: changes } = unit.decide(load(unit))
    if (changes) save(unit.organizationId, changes)
    return result
  })

  return {
    perform: async <Result>(unit: Unit<Result>) => performNow(unit) as Result,
    nextDue: async organizationId => sql.nextDue.get(organizationId)?.due_at ?? undefined,
    dueJob: async (organizationId, now) => {
      const row = sql.dueJob.get(organizationId, now)
      return row && jobOf(row)
    },

    addOrganization: async organization => {
      database.transaction(() => {
        const { organizationId, accountIds, clockOffset, kit } = organization
        sql.addOrganization.run(organizationId, JSON.stringify(accountIds), clockOffset, kit)
        for (const { fingerprint, pem } of organization.certificates)
          sql.addCertificate.run(fingerprint, organizationId, pem)
        for (const key of organization.signingKeys)
          sql.addKey.run(key.keyId, organizationId, key.algorithm, key.publicKey, key.expiresAt)
      })()
    },
    organizations: async () => sql.organizations.all().map(organizationOf),
    organization: async organizationId => {
      const row = sql.organization.get(organizationId)
      return row && organizationOf(row)
    },
    setClockOffset: async (organizationId, milliseconds) => void sql.setOffset.run(milliseconds, organizationId),
    certificateOwner: async fingerprint => sql.certificateOwner.get(fingerprint)?.organization_id,
    signingKey: async (organizationId, keyId) => {
      const row = sql.signingKey.get(keyId, organizationId)
      return row && keyOf(row)
    },

    addBlikCode: async (organizationId, { codeId, code, expiresAt }) =>
      void sql.addCode.run(codeId, organizationId, code, expiresAt),
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
    close: async () => void database.close(),
  }
}
