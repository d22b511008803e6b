import { createInterface } from 'node:readline'
import { findField } from '../../harness/profile/response-fields.ts'
import { awaitShopperOutcome } from './await-shopper-outcome.ts'
import type { ShopperDriver, ShopperDriverParts, ShopperOutcome } from './shopper-driver.ts'

/** Longest time that a person gets for one act, in milliseconds. */
const PERSON_DEADLINE_MS = 120_000

/** Creates the shopper that is a person at this terminal (`--ask`): they are told what to do, and by when. */
export const createAskedShopper = ({ profile, merchant }: ShopperDriverParts): ShopperDriver => ({
  offers: () => profile.shopper?.ask === true,
  prepare: async body => {
    if (body.providerDetails.providerId !== 'BLIK') return body
    const oneTimeCode = await ask('Type a new BLIK code of six digits and press Enter: ')
    return { ...body, payerDetails: { ...body.payerDetails, oneTimeCode: oneTimeCode.trim() } }
  },
  act: async ({ transactionId, initiated, provider }, outcome) => {
    const page = findField(profile, initiated, 'initiate.redirectUrl')
    const place = provider === 'IRIS' ? `on ${page ?? 'the page of the bank'}` : 'in the bank app'
    const told = ask(`${ACTS[outcome]} payment ${transactionId} ${place} within two minutes, then press Enter. `)
    await Promise.race([told, awaitShopperOutcome(profile, merchant, transactionId, PERSON_DEADLINE_MS)])
  },
})

const ACTS: Readonly<Record<ShopperOutcome, string>> = {
  approve: 'Approve',
  decline: 'Decline',
  lapse: 'Do nothing about',
  wait: 'Do nothing yet about',
}

/** Asks on stderr and returns the line that is typed; the empty text where stdin has ended. */
const ask = (question: string): Promise<string> =>
  new Promise(done => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    lines.once('close', () => done(''))
    lines.question(question, typed => {
      done(typed)
      lines.close()
    })
  })
