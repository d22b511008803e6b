import { Blocked } from '../../harness/judge/verdict-errors.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import type { Webhook } from './delivered-webhook.ts'
import { runProfileCommand } from './run-profile-command.ts'

const COMMAND_MS = 30_000

/**
 * Reads what `webhooks.command` prints: each webhook that was delivered as one line of JSON `{target?, headers, body}`,
 * oldest first. The command gets TRANSACTION_ID and may leave out the webhooks of other payments; `ended` ends it.
 */
export const readDeliveredByCommand = async (
  profile: Profile,
  transactionId: string,
  ended: AbortSignal,
): Promise<readonly Webhook[]> => {
  const env = { TRANSACTION_ID: transactionId }
  const printed = await runProfileCommand(profile, 'webhooks.command', { env, timeoutMs: COMMAND_MS, ended })
  return printed
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(toDelivered)
}

const toDelivered = (line: string): Webhook => {
  const { target, headers, body } = parsed(line)
  if (
    (target !== undefined && typeof target !== 'string') ||
    typeof body !== 'string' ||
    typeof headers !== 'object' ||
    headers === null
  )
    throw new Blocked(
      'webhooks.command printed no {"headers": {…}, "body": "…"} with the body as text, one on each line',
    )
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return { ...(target !== undefined && { target }), headers: Object.fromEntries(named), body }
}

const parsed = (line: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}
