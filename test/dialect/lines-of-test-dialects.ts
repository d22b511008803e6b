import { join } from 'node:path'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { parseDialectLines, readDialectLines } from '../../contracts/harness/profile/read-profile.ts'

/** Lines that the profiles of test/conformance/dialects leave out. */
const EVERY_LINE = `
naming: snake_case
headers: { signature: X-Sig }
responses: { label: sig1, digest: sha-256 }
keySet: { protected: true }
paths: { search: 'GET /find/{clientTransactionId}' }
requests:
  always: { capture: { /unit: PLN } }
  without: { finalize: [processingAccountId] }
members:
  all: { '': /data }
forms: { amounts: major-text, times: epoch, reasonCodes: number }
enums: { channel: { WEB: browser } }
errors: { reasonCode: /errors/0/reason }
mocks: { faults: { at: /steps/capture/scenario, internal: BROKEN, locked: BUSY } }
decisions: { D-07: '422' }
`

/**
 * Returns the profile lines of a test dialect by its name: of a profile of test/conformance/dialects, of every other
 * line, or none.
 */
export const linesOf = (name: string): DialectLines => {
  if (name === '') return {}
  if (name === 'every-line') return parseDialectLines('every-line.yaml', EVERY_LINE)
  return readDialectLines(join(import.meta.dirname, `../conformance/dialects/${name}.yaml`))
}
