import sql from 'sql-template-tag'
import { deadlinesIn } from '../../payments/deadlines.ts'
import type { Payment, PaymentEvent } from '../../payments/payment.ts'
import type { Loaded, Save, Unit } from '../port.ts'
import { type CodeRow, codeOf, paymentRowOf, type RecordRow, type RememberedRow } from '../rows.ts'
import { addDeed } from './deeds.ts'
import { meetFault, metUnder, spendFault, waitingFaults } from './faults.ts'
import { findLate, insertLate } from './late-calls.ts'
import { findMandate, insertMandate } from './mandates.ts'
import { insertMock, nearMocks, useMock } from './mocks.ts'
import type { Db } from './open.ts'
import { addPostings, listPostings } from './postings.ts'
import { searchPayments } from './search.ts'
import { listenersOf, tell } from './webhooks.ts'

/** All that a unit wants to see, sent in one go: statements behind the locks see what was committed before them. */
export const load = async (db: Db, { organizationId, now, needs }: Unit<unknown>): Promise<Loaded> => {
  const { transactionId, blikCode, key, providerCall } = needs
  const ask = <Wanted, Found>(wanted: Wanted | undefined, query: (wanted: Wanted) => Promise<Found>) =>
    wanted === undefined ? undefined : query(wanted)
  const [payment, events, code, known, mandate, found, postings, faults, met, mocks, late, listeners] =
    await Promise.all([
      ask(transactionId, id => paymentRow(db, organizationId, id)),
      ask(needs.events ? transactionId : undefined, id => eventRows(db, organizationId, id)),
      ask(blikCode, wanted => codeRow(db, organizationId, wanted, now)),
      ask(key, wanted => rememberedRow(db, organizationId, wanted, now)),
      ask(needs.mandate, wanted => findMandate(db, organizationId, wanted, now)),
      ask(needs.payments, wanted => searchPayments(db, organizationId, wanted)),
      ask(needs.postings, wanted => listPostings(db, organizationId, wanted)),
      ask(providerCall, wanted => waitingFaults(db, organizationId, wanted)),
      ask(providerCall && key, wanted => metUnder(db, organizationId, wanted, now)),
      ask(providerCall, () => nearMocks(db, organizationId, now, needs)),
      ask(providerCall, () => findLate(db, organizationId, key, transactionId)),
      ask(needs.listeners || undefined, () => listenersOf(db, organizationId)),
    ])
  return {
    payment: payment?.[0] && (JSON.parse(payment[0].record) as Payment),
    events: events?.map(({ record }) => JSON.parse(record) as PaymentEvent) ?? [],
    blikCode: code?.[0] && codeOf(code[0]),
    remembered: known?.[0] && rememberedOf(known[0]),
    mandate,
    found,
    postings: postings ?? [],
    faults: faults ?? [],
    faultsMet: met ?? 0,
    mocks: mocks ?? [],
    late,
    listeners,
  }
}

const rememberedOf = ({ fingerprint, http, body }: RememberedRow) => ({ fingerprint, reply: { http, body } })

const paymentRow = (db: Db, organizationId: string, transactionId: string) =>
  db.rows<RecordRow>(sql`
  SELECT record FROM payments WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId} FOR UPDATE`)

const eventRows = (db: Db, organizationId: string, transactionId: string) =>
  db.rows<RecordRow>(sql`
  SELECT events.record FROM events JOIN payments USING (transaction_id)
  WHERE transaction_id = ${transactionId} AND organization_id = ${organizationId} ORDER BY event_id`)

const codeRow = (db: Db, organizationId: string, code: string, now: number) =>
  db.rows<CodeRow>(sql`
  SELECT * FROM blik_codes WHERE organization_id = ${organizationId} AND code = ${code} AND expires_at > ${now}`)

const rememberedRow = (db: Db, organizationId: string, key: string, now: number) =>
  db.rows<RememberedRow>(sql`
  SELECT fingerprint, http, body FROM remembered
  WHERE organization_id = ${organizationId} AND key = ${key} AND expires_at > ${now}`)

/** The statements that leave behind what was decided, in order; the caller sends them in one go and commits. */
export const save = (db: Db, organizationId: string, saved: Save): Promise<unknown>[] => {
  const { change, mandate, late } = saved
  const changed = change && (change.events.length > 0 || change.deadlines.length > 0) ? change : undefined
  return [
    saved.spentFaultId === undefined ? [] : spendFault(db, saved.spentFaultId),
    late ? insertLate(db, organizationId, late) : [],
    saved.faultMet ? meetFault(db, organizationId, saved.faultMet) : [],
    saved.mock ? insertMock(db, organizationId, saved.mock) : [],
    saved.usedMock ? useMock(db, saved.usedMock) : [],
    changed ? saveChange(db, organizationId, changed) : [],
    changed && mandate ? insertMandate(db, mandate) : [],
    changed && saved.usedCodeId !== undefined ? useCode(db, changed.payment.transactionId, saved.usedCodeId) : [],
    saved.deed ? addDeed(db, organizationId, saved.deed) : [],
    saved.told ? tell(db, organizationId, saved.told) : [],
    saved.remember ? remember(db, organizationId, saved.remember) : [],
  ].flat()
}

const saveChange = (
  db: Db,
  organizationId: string,
  { payment, begins, events, deadlines, postings }: NonNullable<Save['change']>,
): Promise<unknown>[] => {
  const { transactionId } = payment
  const row = { ...paymentRowOf(payment), organizationId }
  const records = events.map(event => JSON.stringify(event))
  return [
    db.run(sql`
      INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, payer_id, provider_id,
        status, amount, created_at, redirect_id, record)
      VALUES (${row.transactionId}, ${row.organizationId}, ${row.processingAccountId}, ${row.clientTransactionId},
        ${row.payerId}, ${row.providerId}, ${row.status}, ${row.amount}, ${row.createdAt}, ${row.redirectId},
        ${row.record})
      ON CONFLICT (transaction_id) DO UPDATE SET status = excluded.status, record = excluded.record`),
    ...records.map(record =>
      db.run(sql`INSERT INTO events (transaction_id, record) VALUES (${transactionId}, ${record})`),
    ),
    ...addPostings(db, organizationId, payment, postings),
    ...(begins ? [] : [dropJobs(db, payment)]),
    ...deadlines.map(({ name, dueAt, movementId = null }) =>
      db.run(sql`
        INSERT INTO jobs (organization_id, due_at, name, transaction_id, movement_id)
        VALUES (${organizationId}, ${dueAt}, ${name}, ${transactionId}, ${movementId})`),
    ),
  ]
}

/** Those that no longer hold in the state that the payment is in. */
const dropJobs = (db: Db, { transactionId, state }: Payment) =>
  db.run(sql`
    DELETE FROM jobs WHERE transaction_id = ${transactionId} AND call_key IS NULL
      AND name <> ALL (${deadlinesIn(state) as string[]}::text[])`)

const useCode = (db: Db, transactionId: string, codeId: string) => [
  db.run(sql`UPDATE blik_codes SET transaction_id = ${transactionId} WHERE code_id = ${codeId}`),
]

const remember = (db: Db, organizationId: string, kept: NonNullable<Save['remember']>) => [
  db.run(sql`
    INSERT INTO remembered (organization_id, key, fingerprint, http, body, expires_at)
    VALUES (${organizationId}, ${kept.key}, ${kept.fingerprint}, ${kept.reply.http}, ${kept.reply.body},
      ${kept.expiresAt})
    ON CONFLICT (organization_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, http = excluded.http,
      body = excluded.body, expires_at = excluded.expires_at`),
]
