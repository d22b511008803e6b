import { type Envelope, envelopeFaultOf, signatureFaultOf } from '../wire/judge.ts'
import type { Sandbox } from '../wire/sandbox.ts'
import type { Answer } from '../wire/talk.ts'
import { faultsOf } from './house.ts'

/** Statuses of the contract that nobody has to ask for (7.1). */
const STATUSES = [200, 400, 401, 403, 404, 409, 413, 422, 423, 429, 501]

/** An answer without a body, as chunks tell it. */
const NO_CHUNKS = '0\r\n\r\n'

/** What is wrong with an answer of the API, whatever was asked: its status, its envelope, its sentence, its signature. */
export const apiFaultOf = async (said: Answer, sandbox: Sandbox): Promise<string | undefined> => {
  const fault = faultsOf(sandbox)
  if (fault) return fault
  const answer = said.body.toString() === NO_CHUNKS ? { ...said, body: Buffer.alloc(0) } : said
  if (!STATUSES.includes(answer.status)) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`
  const signature = await signatureFaultOf(answer, sandbox.keySet)
  if (signature) return `the answer's signature: ${signature}`
  if (answer.status === 200 || answer.body.length === 0) return undefined
  return envelopeFaultOf(answer) ?? sentenceFaultOf((answer.json() as Envelope).statusInfo.message)
}

/** Whether people can read it: one line that ends. */
export const sentenceFaultOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[^\n\r\0]{5,3000}[.?]$/.test(text)
    ? undefined
    : `no sentence: ${JSON.stringify(text)?.slice(0, 300)}`

/** The same of a sentence about files of one's own, whose names and texts may be of any length and kind. */
export const adviceFaultOf = (text: string): string | undefined =>
  sentenceFaultOf(text.replaceAll(/[\r\n\0]/g, ' ').slice(-1_000))
