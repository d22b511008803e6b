import type { disagreements as Disagreements } from '../control/description.ts'

/** Every answer of control that any test fetches is held against control's description, and a fault in it is an error. */
const fetchBare = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const answer = await fetchBare(input, init)
  if (!/^\/control(\/|$)/.test(url.pathname) || url.pathname.endsWith('.yaml')) return answer
  const { disagreements }: { disagreements: typeof Disagreements } = await import('../control/description.ts')
  const [method, target] = [init?.method ?? 'GET', url.pathname + url.search]
  const sent = typeof init?.body === 'string' ? init.body : ''
  const faults = disagreements({ method, target, sent, status: answer.status, body: await answer.clone().text() })
  if (faults.length > 0) throw new Error(`simulator/control/openapi.yaml disagrees: ${faults.join('; ')}`)
  return answer
}
