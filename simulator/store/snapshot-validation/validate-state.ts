import type { OrganizationState } from '../organization-state-store.ts'
import type { TableOwner } from '../tables-emptied-by-reset.ts'
import { CAPABILITIES } from './record-shapes.ts'
import { columnOf, type TableColumn, validateRows } from './validate-rows.ts'
import { validateValue } from './validate-value.ts'

/**
 * Returns why the organization state of an imported snapshot does not fit the tables of a database, or undefined if it
 * fits.
 */
export const validateState = async (
  tables: readonly { table: string; owner: TableOwner; columns: readonly TableColumn[] }[],
  organizationId: string,
  { tables: rowsByTable, capabilities }: OrganizationState,
): Promise<string | undefined> => {
  const invalid = validateValue('capabilities', capabilities, CAPABILITIES)
  if (invalid !== undefined) return invalid
  const payments = new Set(columnOf(rowsByTable.payments, 'transaction_id'))
  for (const [name, content] of Object.entries(rowsByTable)) {
    const known = tables.find(({ table }) => table === name)
    if (!known) return `there is no table ${name.slice(0, 40)}`
    const reason = await validateRows(known, content, organizationId)
    if (reason !== undefined) return reason
    const ids = known.owner === 'transaction_id' ? columnOf(content, known.owner) : []
    if (!ids.every(id => payments.has(id))) return `${name} tells of a payment that is not in it`
  }
  const keys = columnOf(rowsByTable.idempotency_keys, 'idempotency_key')
  return new Set(keys).size < keys.length ? 'idempotency_keys has a key twice' : undefined
}
