import type { Traffic } from './traffic.ts'

/** Something that should not have been: a sentence, and the calls and deliveries that prove it. */
export type Breach = { said: string; evidence: readonly string[] }

/** How often there was an occasion, and what went wrong on it. */
export type Finding = { occasions: number; breaches: readonly Breach[] }

/** One rule of conduct for a merchant's integration. */
export type ConductRule = {
  /** Stable, never reused. */
  id: string
  clause: string
  title: string
  /** What goes wrong for whoever does not keep it. */
  why: string
  judge(traffic: Traffic): Finding
}

export type ConductVerdict = 'pass' | 'fail' | 'not exercised'
export type Conduct = Omit<ConductRule, 'judge'> & Finding & { verdict: ConductVerdict }

/** A finding over a list of occasions; each yields a breach or none. */
export const overEach = <Occasion>(
  occasions: readonly Occasion[],
  breachOf: (occasion: Occasion) => Breach | undefined,
): Finding => ({
  occasions: occasions.length,
  breaches: occasions.flatMap(occasion => breachOf(occasion) ?? []),
})
