import { DAY, HOUR, SECOND } from './duration.ts'

/** Lifetimes of codes, holds, mandates, keys, tokens and messages, in milliseconds (8; D-32, D-33, D-62). */
// biome-ignore format: a table reads by its columns
export const LIFETIMES = {
  blikCode:       120 * SECOND,  // R6
  hold:             7 * DAY,     // R3
  consent:         24 * HOUR,    // D-118
  mandate:        365 * DAY,     // D-62
  reference:      365 * DAY,     // 8: how far back a search by clientTransactionId reaches
  idempotencyKey:  24 * HOUR,    // I3
  accessToken:   7200 * SECOND,  // 5.3
  mock:            24 * HOUR,    // 2.7, 8
  signingKey:     365 * DAY,     // 5.2: up to 12 months
  message:         90 * DAY,     // D-109: in the inbox and among the deliveries
} as const
