import { type ReportsRequest, reportFile, reportFiles } from '../reports/list-and-generate-daily-reports.ts'
import type { QueryOperation } from './operation-types.ts'

/** Definition of operation `reports`, which lists the daily reports of a range of past days (4, D-75). */
export const listReports: QueryOperation<ReportsRequest> = {
  needs: (query, { rules, ...asked }) =>
    reportFiles.needs(query, { ...asked, isAnyRange: rules.choices['D-75'] === 'any-range' }),
  decide: (query, context) => {
    const files = reportFiles.decide(query, context)
    return { answer: { files, totalCount: files.length } }
  },
}

/** Definition of operation `downloadReport`, which generates one report as CSV. */
export const downloadReport: QueryOperation<{ reportId: string }> = {
  needs: reportFile.needs,
  decide: (asked, context) => {
    const { name, text } = reportFile.decide(asked, context)
    return { answer: text, contentType: 'text/csv', fileName: `${name}.csv` }
  },
}
