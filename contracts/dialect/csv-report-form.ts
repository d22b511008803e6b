import type { Dialect } from './dialect.ts'
import { placeOf } from './member-places.ts'

/** Form of a report's CSV file in a dialect: how columns are named and values written. */
export type ReportForm = {
  header(column: string): string
  cell(column: string, value: string | number): string | number
}

/** Form of report files in the interface document's own dialect. */
export const OWN_REPORT_FORM: ReportForm = { header: column => column, cell: (_, value) => value }

/** Returns the form of report files in a dialect: columns and values are written as in its messages (4, D-75). */
export const reportFormOf = ({
  lenses,
}: {
  lenses?: Pick<NonNullable<Dialect['lenses']>, 'responses'>
}): ReportForm => {
  if (!lenses) return OWN_REPORT_FORM
  const places = lenses.responses.placesOf('downloadReport')
  return {
    header: column => placeOf(places, column).at(-1) ?? column,
    cell: (column, value) => places.values.write(column, value) as string | number,
  }
}
