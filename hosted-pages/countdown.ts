import { html } from 'hono/html'
import type { Html } from './layout.ts'

type Countdown = {
  testId: string
  label: string
  now: number
  /** How many times as fast as real time: 0 where the clock is frozen. */
  rate: number
  expiresAt: number
  /** The longest that this can take: a full ring. */
  wholeInSeconds: number
}

const URGENT_SECONDS = 10

/**
 * Returns the HTML of a countdown on the organization's clock; without the script it shows the time left at loading.
 */
export function countdown({ testId, label, now, rate, expiresAt, wholeInSeconds }: Countdown): Html {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000))
  const share = Math.min(100, (100 * seconds) / wholeInSeconds)
  return html`
<div class="countdown" data-countdown data-now="${now}" data-rate="${rate}" data-expires-at="${expiresAt}" data-whole="${wholeInSeconds}"${seconds <= URGENT_SECONDS ? html` data-urgent` : ''}>
<svg viewBox="0 0 36 36" aria-hidden="true" focusable="false"><circle cx="18" cy="18" r="15"/><circle class="left" cx="18" cy="18" r="15" pathLength="100" stroke-dasharray="${share} 100"/></svg>
<span class="label" id="${testId}-label">${label}</span>
<span class="time" role="timer" aria-labelledby="${testId}-label" data-testid="${testId}">${minutes(seconds)}</span>
</div>`
}

/** Formats seconds as minutes and seconds: 75 → 1:15. */
const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
