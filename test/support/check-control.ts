import type { disagreements as Disagreements } from '../control/description.ts'

/** Every answer of control that any test fetches is held against control's description, and a fault in it is an error. */
const fetchBare = globalThis.fetch

/** Once in a process: files share it. */
const CHECKED = Symbol.for('assay.control-is-checked')

const fetchChecked: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const answer = await fetchBare(input, init)
  const isEndless = answer.headers.get('content-type') === 'text/event-stream'
  if (!/^\/control(\/|$)/.test(url.pathname) || url.pathname.endsWith('.yaml') || isEndless) return answer
  const { disagreements }: { disagreements: typeof Disagreements } = await import('../control/description.ts')
  const { method, body } =
    input instanceof Request ? { method: input.method, body: undefined } : { method: 'GET', ...init }
  const [target, sent] = [url.pathname + url.search, typeof body === 'string' ? body : '']
  const faults = disagreements({ method, target, sent, status: answer.status, body: await answer.clone().text() })
  if (faults.length > 0) throw new Error(`simulator/control/openapi.yaml disagrees: ${faults.join('; ')}`)
  return answer
}

if (!(CHECKED in globalThis)) Object.assign(globalThis, { [CHECKED]: true, fetch: fetchChecked })
