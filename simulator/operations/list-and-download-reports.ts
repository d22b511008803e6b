import { type ReportsRequest, reportFiles, reportText } from '../reports/find-and-generate-reports.ts'
import type { QueryOperation } from './operation-types.ts'

/** Operation `reports`: lists the daily reports of a range of past days (4, D-75). */
export const listReports: QueryOperation<ReportsRequest> = {
  needs: reportFiles.needs,
  decide: (query, context) => {
    const files = reportFiles.decide(query, context)
    return { answer: { files, totalCount: files.length } }
  },
}

/** Operation `downloadReport`: generates one report as CSV. */
export const downloadReport: QueryOperation<{ reportId: string }> = {
  needs: reportText.needs,
  decide: (asked, context) => ({ answer: reportText.decide(asked, context), contentType: 'text/csv' }),
}
