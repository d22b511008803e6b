import { mkdtempSync, rmSync } from 'node:fs'
import type { HeapProfiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../test/support/free-port.ts'
import { initiateRequestOf, prepareSigned, requestToken, securePool, sendPrepared } from '../load/http-load.ts'
import { readDemoCredentials } from '../load/read-merchant-credentials.ts'
import { startAssay } from '../load/start-servers.ts'
import { connectInspector } from '../soak/inspector.ts'

// Prints the share of the bytes of request and response objects that outlive the young generation (garbage collection).
// Above 0.6 something ties one call to the next, and every call costs work of the major garbage collection.

const CALLS = 400
/** Function in which Node allocates the request and response objects of a call. */
const ALLOCATOR = 'parserOnIncoming'
const SAMPLING = { samplingInterval: 1024, includeObjectsCollectedByMajorGC: true }

const folder = mkdtempSync(join(tmpdir(), 'assay-garbage-'))
const inspectorPort = await findFreePort()
const options = `--inspect=127.0.0.1:${inspectorPort} --inspect-publish-uid=http`
const assay = await startAssay(folder, [], { NODE_OPTIONS: options })
const inspector = await connectInspector(inspectorPort)
const kit = readDemoCredentials(folder)
const prepare = prepareSigned(kit, await requestToken(assay.port, kit))
const pool = securePool(assay.port, 1, kit)

/** Measures the bytes allocated for request and response objects, with or without those that die young. */
const bytesAllocated = async (includeObjectsCollectedByMinorGC: boolean): Promise<number> => {
  await inspector.ask('HeapProfiler.startSampling', { ...SAMPLING, includeObjectsCollectedByMinorGC })
  for (let call = 0; call < CALLS; call += 1)
    await sendPrepared(pool, await prepare(initiateRequestOf(kit.processingAccountId)))
  const { profile } = await inspector.ask('HeapProfiler.stopSampling')
  return bytesOf((profile as HeapProfiler.SamplingHeapProfile).head)
}

const bytesOf = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  (callFrame.functionName === ALLOCATOR ? selfSize : 0) + children.reduce((sum, child) => sum + bytesOf(child), 0)

const all = await bytesAllocated(true)
console.log(`${((await bytesAllocated(false)) / all).toFixed(2)} of the bytes outlive the young generation`)

inspector.close()
await pool.close()
await assay.stop()
rmSync(folder, { recursive: true })
