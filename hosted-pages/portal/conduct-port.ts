import type { Wish } from './wish.ts'

/** How a merchant's integration is graded, and the drills that give it occasion; since instants are ISO 8601. */
export type ConductPort = {
  drills(): readonly DrillView[]
  /** What is looked for on a checkout page. */
  checkout(): readonly { id: string; title: string; why: string }[]
  /** A verdict for every rule, by all that was seen since. */
  judge(organizationId: string, since?: string): Promise<Wish<readonly RuleView[]>>
  /** Since when the drill goes on. */
  begin(organizationId: string, name: string): Promise<Wish<string>>
  between(organizationId: string, name: string): Promise<Wish<true>>
  end(organizationId: string, name: string, since: string): Promise<Wish<readonly RuleView[]>>
}

/** A drill with its title and what the shopper does, in sentences of its own data. */
export type DrillView = {
  name: string
  title: string
  ask: string
  runs: number
  rules: readonly string[]
  /** From the second run on there are new signing keys in the kit. */
  handsKeys: boolean
}

export type RuleView = {
  id: string
  clause: string
  title: string
  why: string
  verdict: 'pass' | 'fail' | 'not exercised'
  occasions: number
  breaches: readonly { said: string; proofs: readonly ProofView[] }[]
  /** What shows the first occasion on which all went well. */
  kept: readonly ProofView[]
}

/** Where to look at what proves a verdict; `line` tells a call or delivery in brief. */
export type ProofView = { kind: 'call' | 'delivery' | 'payment'; id: string; line?: string }
