import { expect } from 'vitest'
import { descriptionMismatches } from './control-description.ts'
import { exchangeRaw, type RawResponse } from './raw-http.ts'

/** Sends a test's raw control call for the demo organization; checks the response against the description. */
export const sendRawControlCall = async (
  port: number,
  method: string,
  path: string,
  body: object | string = '',
): Promise<RawResponse> => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['Content-Length', String(bytes.length)],
  ]
  const target = `/control/organizations/demo-merchant/${path}`
  const [answer] = (await exchangeRaw(port, { method, target, headers, body: bytes }, { plain: true })).answers
  if (!answer) throw new Error('There is no response.')
  expectDescribedResponse(answer, { method, target, sent: bytes.toString() })
  return answer
}

/** Expects a control response in a test that matches control's description. */
export const expectDescribedResponse = (
  answer: RawResponse,
  asked: { method: string; target: string; sent: string },
): void => {
  const told = { status: answer.status, body: answer.body.toString() }
  expect(descriptionMismatches({ ...asked, ...told }), answer.body.toString().slice(0, 200)).toEqual([])
}

/** Expects an error status and one sentence of 10 to 240 characters from control; returns the sentence. */
export const expectErrorSentence = (answer: RawResponse, status = 400): string => {
  expect(answer.status, answer.body.toString()).toBe(status)
  const { error } = answer.json() as { error: string }
  expect(error).toMatch(/^[^\n]{10,240}\.$/)
  return error
}
