import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { change, organization, payment, save } from './records.ts'

// Writes a payment into the folder named on the command line, says so, and waits to be killed.

const store = openSqliteStore(process.argv[2] ?? '')
await store.addOrganization(organization('shop'))
await save(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]) })
process.stdout.write('written\n')
setInterval(() => undefined, 1_000)
