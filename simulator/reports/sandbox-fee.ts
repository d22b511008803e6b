/** The fee of this sandbox, which nobody pays: 1.2 % of a capture and 25 minor units (D-76). */
export const SANDBOX_FEE = { perThousand: 12, fixed: 25, rule: 'SANDBOX 1.2 % + 25' } as const

/** In minor units; half a unit of the share is rounded up. */
export const sandboxFee = (captured: number): number =>
  Math.floor((captured * SANDBOX_FEE.perThousand + 500) / 1000) + SANDBOX_FEE.fixed
