import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

// Child process that saves a payment in the folder given as argument, prints a line and waits to be killed.

const store = openSqliteStore(process.argv[2] ?? '')
await store.addOrganization(organization('shop'))
await writeInUnit(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]) })
process.stdout.write('written\n')
setInterval(() => undefined, 1_000)
