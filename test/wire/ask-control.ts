import { expect } from 'vitest'
import { disagreements } from '../control/description.ts'
import { type Answer, talk } from './talk.ts'

/** Says something about the demo merchant to the control port, as it stands. */
export const askControl = async (
  port: number,
  method: string,
  path: string,
  body: object | string = '',
): Promise<Answer> => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['Content-Length', String(bytes.length)],
  ]
  const target = `/control/organizations/demo-merchant/${path}`
  const [answer] = (await talk(port, { method, target, headers, body: bytes }, { plain: true })).answers
  if (!answer) throw new Error('There is no answer.')
  expectDescribed(answer, { method, target, sent: bytes.toString() })
  return answer
}

/** Expects an answer that control's description tells of. */
export const expectDescribed = (answer: Answer, asked: { method: string; target: string; sent: string }): void => {
  const told = { status: answer.status, body: answer.body.toString() }
  expect(disagreements({ ...asked, ...told }), answer.body.toString().slice(0, 200)).toEqual([])
}

/** Expects a status and one sentence of bearable length; gives the sentence back. */
export const expectSentence = (answer: Answer, status = 400): string => {
  expect(answer.status, answer.body.toString()).toBe(status)
  const { error } = answer.json() as { error: string }
  expect(error).toMatch(/^[^\n]{10,240}\.$/)
  return error
}
