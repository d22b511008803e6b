import { byLot } from './lot.ts'

/** Files whose proofs take long, mostly in a browser: some of them in a usual run, all in `npm run proof`. */
const SLOW = [
  'test/browser/blik-choices.test.ts',
  'test/browser/blik-phone.test.ts',
  'test/browser/iris-languages.test.ts',
  'test/browser/iris-pages.test.ts',
  'test/browser/iris-slow-bank.test.ts',
  'test/browser/lab.test.ts',
  'test/browser/portal-live-pages.test.ts',
  'test/browser/portal-pages.test.ts',
  'test/browser/portal-webhooks.test.ts',
  'test/conformance/hard-targets.test.ts',
  'test/conformance/hostile-transport.test.ts',
  'test/conformance/oddities.test.ts',
  'test/container/my-shop-page.test.ts',
  'test/security/hostile-fields.test.ts',
]

/** Those that the lot has left out. Whoever names a file gets it, and so does whoever drew no lot. */
export const leftOut = (): readonly string[] => {
  if (process.env.ASSAY_LOT === undefined) return []
  const drawn = byLot(SLOW, 3)
  return SLOW.filter(file => !drawn.includes(file))
}
