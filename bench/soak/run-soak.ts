import { connectSandbox, type Sandbox } from '../../fixtures/connect-sandbox.ts'
import { findFreePort } from '../../test/support/free-port.ts'
import { startAssay } from '../load/start-servers.ts'
import { openWebhookCounter } from './counting-webhook-receiver.ts'
import { connectInspector, type Inspector } from './inspector.ts'
import { DAYS, type LapContext, runLap } from './mixed-load-lap.ts'
import { type RowCounts, type Sample, takeSample } from './resource-usage-sample.ts'
import { judgeSoak, type SoakResult } from './verdict.ts'

type SoakOptions = {
  dataDir: string
  /** Limits of the run: whichever comes first ends it. */
  seconds: number
  laps: number
  /** Value of `--keep-payments`; payments are kept forever where undefined. */
  keepPayments: string | undefined
  tell(sample: Sample): void
}

/** Laps until the organization is replaced: its signing key expires after a year on its clock (5.2). */
const LAPS_OF_A_KEY = Math.floor(360 / DAYS)

/** Most samples of a soak run, since each sample pauses the load. */
const MOST_LOOKS = 120

/** Loads an `assay serve` process lap after lap up to the limits, samples it, and judges whether anything grows. */
export const runSoak = async ({
  dataDir,
  seconds,
  laps: mostLaps,
  keepPayments,
  tell,
}: SoakOptions): Promise<SoakResult> => {
  const inspected = await findFreePort()
  const options = `--inspect=127.0.0.1:${inspected} --inspect-publish-uid=http`
  const kept = keepPayments === undefined ? [] : ['--keep-payments', keepPayments]
  const assay = await startAssay(dataDir, kept, { NODE_OPTIONS: options })
  const receiver = await openWebhookCounter()
  let inspector: Inspector | undefined
  try {
    inspector = await connectInspector(inspected)
    const sandbox = connectSandbox({ url: `http://localhost:${assay.pagesPort}` })
    let scene = await moveIn(sandbox, receiver.url)
    const samples: Sample[] = []
    const rows: RowCounts[] = []
    const begun = performance.now()
    const elapsed = () => (performance.now() - begun) / 1000
    const pause = Number.isFinite(seconds) ? seconds / MOST_LOOKS : 0
    for (let laps = 1, payments = 0; elapsed() < seconds && laps <= mostLaps; laps += 1) {
      if (laps % LAPS_OF_A_KEY === 0) scene = await moveIn(sandbox, receiver.url, scene)
      payments += await runLap(scene, laps)
      if (elapsed() < samples.length * pause) continue
      const { rows: counted, ...seen } = await takeSample({ assay, inspector, dataDir })
      samples.push({ seconds: elapsed(), laps, days: laps * DAYS, payments, ...seen })
      rows.push(counted)
      tell(samples.at(-1) as Sample)
    }
    scene.merchant.close()
    return judgeSoak(samples, rows)
  } finally {
    inspector?.close() // a process does not end while an inspector is attached
    receiver.close()
    await assay.stop()
  }
}

/** Creates the organization to load, and removes the organization that was loaded before. */
const moveIn = async (sandbox: Sandbox, receiver: string, before?: LapContext): Promise<LapContext> => {
  before?.merchant.close()
  await before?.organization.remove()
  const organization = await sandbox.create()
  await organization.webhooks.sendTo(receiver)
  return { sandbox, organization, merchant: organization.merchant() }
}
