import type { Whose } from './belongings.ts'
import { faultOf } from './fault-of.ts'
import type { Life } from './lives-port.ts'
import { CAPABILITIES } from './record-shapes.ts'
import { type Column, columnOf, unfitRows } from './unfit-rows.ts'

/** Why rows that came from elsewhere have no place in these tables, if they have none; loaded when it is first asked. */
export const unfitLife = (
  tables: readonly { table: string; whose: Whose; columns: readonly Column[] }[],
  organizationId: string,
  { tables: life, capabilities }: Life,
): string | undefined => {
  const fault = faultOf('capabilities', capabilities, CAPABILITIES)
  if (fault !== undefined) return fault
  const payments = new Set(columnOf(life.payments, 'transaction_id'))
  for (const [name, content] of Object.entries(life)) {
    const known = tables.find(({ table }) => table === name)
    if (!known) return `there is no table ${name.slice(0, 40)}`
    const reason = unfitRows(known, content, organizationId)
    if (reason !== undefined) return reason
    const ids = known.whose === 'transaction_id' ? columnOf(content, known.whose) : []
    if (!ids.every(id => payments.has(id))) return `${name} tells of a payment that is not in it`
  }
  const keys = columnOf(life.remembered, 'key')
  return new Set(keys).size < keys.length ? 'remembered has a key twice' : undefined
}
