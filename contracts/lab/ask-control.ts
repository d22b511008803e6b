import type { Report } from '../protocol/lab/report.ts'
import { LabError } from './lab-error.ts'

type Wish = { request?: string; call?: string; base?: string }

/** Asks a running simulator, which knows the keys of the organization and the bytes of its journal. */
export const askControl = async (url: string, organizationId: string, wish: Wish): Promise<Report> => {
  const address = URL.parse(`/control/organizations/${encodeURIComponent(organizationId)}/lab`, url)
  if (!address)
    throw new LabError(`--control is ${JSON.stringify(url)}: give an address such as http://localhost:8080.`)
  const token = process.env.ASSAY_CONTROL_TOKEN
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(wish),
  }).catch((error: Error & { cause?: { code?: string } }) => {
    throw new LabError(
      `${address.origin} cannot be reached (${error.cause?.code ?? error.message}): is the simulator running?`,
    )
  })
  const told: unknown = await answer.json().catch(() => ({}))
  if (answer.ok) return told as Report
  throw new LabError(
    (told as { error?: string }).error ?? `${address.href} answered ${answer.status}: is that a simulator?`,
  )
}
