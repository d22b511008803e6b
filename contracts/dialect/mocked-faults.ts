import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import type { DialectLines, FaultName } from './dialect-lines.ts'

/** What beside its name makes a fault of a capture: one that was carried out, and how long a limit lasts (7.1). */
const MORE: Readonly<Partial<Record<FaultName, JsonObject>>> = { timeout: { done: 'yes' }, limited: { after: 'PT1S' } }

/**
 * Reads the word in a deployment's mock that makes a capture meet a fault (`mocks.faults`) as the fault of that step in
 * the document's form.
 */
export const readMockedFault = ({ mocks }: DialectLines, request: JsonObject): JsonObject => {
  const { at: _, ...words } = mocks?.faults ?? {}
  const { steps } = request
  const capture = isJsonObject(steps) ? steps.capture : undefined
  if (!isJsonObject(steps) || !isJsonObject(capture)) return request
  const [kind] = Object.entries(words).find(([, word]) => word === capture.fault) ?? []
  if (kind === undefined) return request
  const fault = { kind, ...MORE[kind as FaultName] }
  return { ...request, steps: { ...steps, capture: { ...capture, fault } } }
}
