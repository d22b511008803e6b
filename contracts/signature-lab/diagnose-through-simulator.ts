import {
  noSandboxSentence,
  reasonOfFailedFetch,
  refusedCallSentence,
  type SandboxAddress,
  untrustedCertificateSentence,
  unusableAccessSentence,
} from '../client/sandbox-address.ts'
import type { DiagnosisReport } from '../protocol/signature-lab/diagnosis-report.ts'
import { LabUsageError } from './read-lab-keys.ts'

type LabQuery = { request?: string; call?: string; base?: string }

/**
 * Has a running simulator diagnose a request over control, by the organization's keys and journal; throws
 * LabUsageError.
 */
export const diagnoseByControl = async (
  { url, named }: SandboxAddress,
  organizationId: string,
  query: LabQuery,
): Promise<DiagnosisReport> => {
  const token = process.env.ASSAY_CONTROL_TOKEN || undefined
  const unusable = unusableAccessSentence(url, token)
  if (unusable !== undefined) throw new LabUsageError(unusable)
  const address = URL.parse(`/control/organizations/${encodeURIComponent(organizationId)}/lab`, url)
  if (!address)
    throw new LabUsageError(`--control is ${JSON.stringify(url)}: give an address such as http://localhost:8080.`)
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(query),
  }).catch((error: unknown) => {
    const why = reasonOfFailedFetch(error)
    throw new LabUsageError(untrustedCertificateSentence(url, why) ?? noSandboxSentence(url, why, named))
  })
  const body: unknown = await response.json().catch(() => ({}))
  if (response.ok) return body as DiagnosisReport
  const { error } = body as { error?: string }
  if (error === undefined) throw new LabUsageError(`${address.href} answered ${response.status}: is that a simulator?`)
  throw new LabUsageError(refusedCallSentence(response.status, error, TOKEN_CURE))
}

const TOKEN_CURE = 'set ASSAY_CONTROL_TOKEN to one that the operator gave you'
