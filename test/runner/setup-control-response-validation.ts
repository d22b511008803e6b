import type { descriptionMismatches as DescriptionMismatches } from '../support/control-description.ts'

/** Setup file of vitest: `fetch` validates every response of control against its OpenAPI description, and throws. */
const fetchBare = globalThis.fetch

/** Marks that `fetch` is wrapped already: test files share one process. */
const CHECKED = Symbol.for('assay.control-is-checked')

const fetchChecked: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const answer = await fetchBare(input, init)
  const isEndless = answer.headers.get('content-type') === 'text/event-stream'
  if (!/^\/control(\/|$)/.test(url.pathname) || url.pathname.endsWith('.yaml') || isEndless) return answer
  const { descriptionMismatches }: { descriptionMismatches: typeof DescriptionMismatches } = await import(
    '../support/control-description.ts'
  )
  const { method, body } =
    input instanceof Request ? { method: input.method, body: undefined } : { method: 'GET', ...init }
  const [target, sent] = [url.pathname + url.search, typeof body === 'string' ? body : '']
  const faults = descriptionMismatches({
    method,
    target,
    sent,
    status: answer.status,
    body: await answer.clone().text(),
  })
  if (faults.length > 0)
    throw new Error(`A response does not match simulator/control/openapi.yaml: ${faults.join('; ')}`)
  return answer
}

if (!(CHECKED in globalThis)) Object.assign(globalThis, { [CHECKED]: true, fetch: fetchChecked })
