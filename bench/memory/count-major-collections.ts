import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'undici'
import { initiateRequestOf, plainPool, prepareUnsigned, runLoad, sendPrepared } from '../load/http-load.ts'
import { readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { startAssay } from '../load/start-servers.ts'

// Prints how many major garbage collections a sandbox runs under load; more than one in 5,000 calls say that something
// keeps calls beyond the young generation, as V8's pretenuring of listeners does (bin/assay.js).

const ROUNDS = 10
const CALLS = 3_000
const CONNECTIONS = 50

/** A module that counts the garbage collections of a process, and prints them when it ends. */
const COUNTER = `import { PerformanceObserver, constants } from 'node:perf_hooks'
const ms = []
new PerformanceObserver(list => {
  for (const { detail, duration } of list.getEntries())
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) ms.push(duration)
}).observe({ entryTypes: ['gc'] })
process.on('exit', () => {
  const total = ms.reduce((sum, one) => sum + one, 0)
  process.stderr.write(ms.length + ' major collections, ' + total.toFixed(0) + ' ms without the threads of V8\\n')
})`

const folder = mkdtempSync(join(tmpdir(), 'assay-collections-'))
const assay = await startAssay(folder, ['--layers', 'none', '--plain-port', '0'], {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COUNTER)}`,
})
const { processingAccountId } = readDemoCredentials(folder)
const pool = plainPool(assay.plainPort ?? 0, CONNECTIONS)
for (let round = 0; round < ROUNDS; round += 1) {
  const ready = await Promise.all(
    Array.from({ length: CALLS }, () => prepareUnsigned(initiateRequestOf(processingAccountId))),
  )
  const works = ready.map(request => (open: Pool) => sendPrepared(open, request))
  await runLoad(pool, works, CONNECTIONS)
}
console.log(`${(ROUNDS * CALLS).toLocaleString('en')} calls, ${CONNECTIONS} at once:`)
await pool.close()
await assay.stop()
rmSync(folder, { recursive: true })
