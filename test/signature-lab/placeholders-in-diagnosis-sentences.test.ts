import { expect, test } from 'vitest'
import { toDiagnosisReport } from '../../contracts/protocol/signature-lab/diagnosis-report.ts'
import { diagnoseWithKeys } from './diagnose-signed-requests.ts'
import { HEADER_AND_PARAMETER_MISTAKES } from './header-and-parameter-mistakes.ts'
import { signedRequest } from './sign-requests-with-mistakes.ts'
import { SIGNED_VALUE_MISTAKES } from './signed-value-mistakes.ts'

test('no sentence has an unfilled placeholder', async () => {
  for (const [, changes, more] of [...HEADER_AND_PARAMETER_MISTAKES, ...SIGNED_VALUE_MISTAKES.slice(0, 30)]) {
    const report = toDiagnosisReport(
      await diagnoseWithKeys(signedRequest(changes), { ...more, budget: { verifications: 500, isOver: () => false } }),
    )
    for (const { sentence, cure } of [...report.faults, ...report.notes, ...report.alternatives])
      expect(`${sentence}: ${cure}`).not.toMatch(/\{\w+\}/)
    expect(report.summary).not.toMatch(/\{\w+\}/)
  }
}, 120_000)
