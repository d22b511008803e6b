import { Blocked, Untestable } from '../../harness/judge/verdict-errors.ts'
import { findField } from '../../harness/profile/response-fields-and-line-advice.ts'
import { visibleText } from '../../protocol/visible-text.ts'
import { awaitShopperOutcome, canSeeShopperWaiting } from './await-shopper-outcome.ts'
import { readTerminalLine } from './read-terminal-line.ts'
import { isDecision, type ShopperDriver, type ShopperDriverParts } from './shopper-driver-types.ts'

/** Longest time that a person gets for one act, in milliseconds. */
const PERSON_DEADLINE_MS = 120_000

/** Creates the shopper driver that asks a person at this terminal (`--ask`): they are told what to do, and by when. */
export const createAskedShopper = (parts: ShopperDriverParts): ShopperDriver => {
  const { profile, ended } = parts
  return {
    lineFor: () => (profile.shopper?.ask ? 'shopper.ask' : undefined),
    prepare: async body => {
      if (body.providerDetails.providerId !== 'BLIK') return body
      const oneTimeCode = await ask('Type a new BLIK code and press Enter: ', ended)
      return { ...body, payerDetails: { ...body.payerDetails, oneTimeCode } }
    },
    act: async ({ transactionId, initiated, provider }, outcome) => {
      const page = findField(profile, initiated, 'initiate.redirectUrl')
      const place = provider === 'IRIS' ? `on ${page ?? 'the page of the bank'}` : 'in the bank app'
      const what = `payment ${transactionId} ${place}`
      if (!isDecision(outcome)) return tell(`Leave ${what} alone.\n`)
      const told = `${outcome === 'approve' ? 'Approve' : 'Decline'} ${what} within two minutes`
      const line = 'shopper.ask'
      if (!canSeeShopperWaiting(profile)) {
        await ask(`${told}, then press Enter: `, ended)
        return awaitShopperOutcome(parts, transactionId, { line })
      }
      tell(`${told}.\n`)
      return awaitShopperOutcome(parts, transactionId, { line, deadlineMs: PERSON_DEADLINE_MS })
    },
  }
}

const tell = (text: string): void => void process.stderr.write(visibleText(text))

/** Asks on stderr and returns the line that is typed; throws Untestable where stdin has ended, Blocked where nobody types. */
const ask = async (question: string, ended: AbortSignal): Promise<string> => {
  tell(question)
  const late = AbortSignal.timeout(PERSON_DEADLINE_MS)
  const typed = await readTerminalLine(AbortSignal.any([ended, late]))
  if (typed !== undefined) return typed
  if (late.aborted) throw new Blocked('nobody answered at the terminal within two minutes')
  throw new Untestable('shopper.ask needs a person and the input has ended: run it in a terminal')
}
